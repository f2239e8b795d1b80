"""The garden's API: a few requests, each answered at once or refused with a sentence."""

import contextlib
import http.client
import json
import ssl
import time
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote, urlsplit

from access.connection import Connection
from access.login import Login, read
from access.problem import Problem, Unreachable, silence

Object = dict[str, Any]
CORE = "/apis/core.gardener.cloud/v1beta1"
ASK = "authentication.gardener.cloud/v1alpha1"
SECONDS = 15.0
TRIES = 8  # of a garden that has too much to do
PAUSE_SECONDS = 1.0


@dataclass(frozen=True, kw_only=True)
class Garden:
    path: str  # of the kubeconfig, for messages
    login: Login
    seconds: float = SECONDS
    what: str = "garden"  # the management cluster is asked in the same way

    @classmethod
    def of(cls, kubeconfig: str, seconds: float = SECONDS, what: str = "garden") -> "Garden":
        return cls(path=kubeconfig, login=read(kubeconfig, what=what), seconds=seconds, what=what)

    def get(self, path: str) -> Object | None:
        """An object, or None if there is none."""
        status, body = self._patiently("GET", path)
        if status == HTTPStatus.NOT_FOUND:
            return None
        return self._object(status, body, path)

    def post(self, path: str, body: Object) -> Object | None:
        status, text = self._patiently("POST", path, json.dumps(body))
        if status == HTTPStatus.NOT_FOUND:
            return None
        return self._object(status, text, path)

    def _object(self, status: int, text: str, path: str) -> Object:
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise Problem(f"The {self.what} of {self.path} refuses {path}: {_message(text)} Log in there again.")
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            raise Unreachable(f"The {self.what} of {self.path} has too much to do, and {TRIES} times refused {path}.")
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise Unreachable(f"The {self.what} of {self.path} has trouble with {path}: {_message(text)}")
        if status >= HTTPStatus.BAD_REQUEST:
            raise Problem(f"The {self.what} of {self.path} refuses {path}: {_message(text)}")
        return cast("Object", json.loads(text))

    def _patiently(self, method: str, path: str, body: str | None = None) -> tuple[int, str]:
        """A garden that is busy means that one should come again a moment later."""
        for _ in range(TRIES - 1):
            status, text = self._exchange(method, path, body)
            if status != HTTPStatus.TOO_MANY_REQUESTS:
                return status, text
            time.sleep(PAUSE_SECONDS)
        return self._exchange(method, path, body)

    def _exchange(self, method: str, path: str, body: str | None = None) -> tuple[int, str]:
        where = urlsplit(self.login.server)
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if self.login.token:
            headers["Authorization"] = f"Bearer {self.login.token}"
        try:
            with contextlib.closing(Connection(self.login, self.seconds)) as connection:
                connection.request(method, f"{where.path}{path}", body, headers)
                response = connection.getresponse()
                return response.status, response.read().decode()
        except ssl.SSLError as error:
            raise Problem(
                f"{self.login.server}, the {self.what} of {self.path}, has a certificate that the kubeconfig does not "
                f"trust, or refuses yours: {error.reason or error}. Get a new kubeconfig."
            ) from None
        except (OSError, http.client.HTTPException) as error:
            why = silence(error, self.seconds)
            raise Unreachable(f"{self.login.server}, the {self.what} of {self.path}, gives no answer: {why}.") from None


def _message(text: str) -> str:
    with contextlib.suppress(json.JSONDecodeError, AttributeError):
        said: Object = json.loads(text)
        text = str(said.get("message", text))
    return text.strip()[:300].rstrip(".") + "."


def shoot_path(namespace: str, shoot: str) -> str:
    return f"{CORE}/namespaces/{quote(namespace)}/shoots/{quote(shoot)}"


def admin_kubeconfig(garden: Garden, namespace: str, shoot: str, seconds: int) -> Object:
    """A kubeconfig with all rights on a Shoot's cluster, for some time."""
    asked: Object = {"apiVersion": ASK, "kind": "AdminKubeconfigRequest", "spec": {"expirationSeconds": seconds}}
    answer = garden.post(f"{shoot_path(namespace, shoot)}/adminkubeconfig", asked)
    if answer is None:
        raise Problem(
            f"The garden of {garden.path} has no Shoot {shoot} in {namespace}, or its cluster is not made yet: "
            "see what is there with `pulumi stack output clusters`."
        )
    return cast("Object", answer["status"])
