"""What a secret looks like, wherever it stands."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, cast

_FIELD = r"(?:client-key-data|token|password)"
_KEYS = {
    "a private key": re.compile(
        r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----|LS0tLS1CRUdJTi[A-Za-z0-9+/]*(?:UFJJVkFURS|QUklWQVRF|BSSVZBVE)"
    ),
    "a key of Ceph": re.compile(r"(?<![A-Za-z0-9+/=])AQ[A-Za-z0-9+/]{36}==(?![A-Za-z0-9+/=])"),
    "a token": re.compile(r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    "a token of OpenBao": re.compile(
        r"(?<![A-Za-z0-9_.-])(?:hv[sbr]\.[A-Za-z0-9_-]{20,}|[sbr]\.[A-Za-z0-9]{24}(?![A-Za-z0-9.-]))"
    ),
    "an access key": re.compile(r"(?<![A-Z0-9])AKIA[0-9A-Z]{16}(?![A-Z0-9])|(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{36}"),
    # Of YAML, in quotes or not, and of JSON; what is filled in later is none.
    "a credential of a kubeconfig": re.compile(
        rf"(?m)(?:^[\s-]*|[{{,]\s*)([\"']?){_FIELD}\1\s*:\s*(?:[\"'][^\s\"'${{<][^\"'\n]{{7,}}[\"']|[^\s\"'${{<\[][^\s,}}]{{7,}})"
    ),
    "an address with a password": re.compile(
        r"(?<![A-Za-z0-9])[a-z][a-z0-9+.-]*://[^\s/:@\"'<>]*:[^\s/@\"'$<{(][^\s/@\"'<>]*@[^\s/@]"
    ),
}
# What every form above has in it: most texts are none of them, and need no closer look.
_HINT = re.compile(
    r"-----BEGIN|LS0tLS|AQ|eyJ|hv[sbr]\.|[sbr]\.[A-Za-z0-9]{24}|AKIA|gh[pousr]_|key-data|token|password|://"
)
_NAME = (
    r"(?:password|passwd|passphrase|secret|token|apikey|api[_-]key|accesskey|access[_-]key|secret[_-]?key|"
    r"private[_-]?key|userkey|client[_-]?secret|credentials?)"
)
_WORD = re.compile(rf"(?:^|[._-]){_NAME}$", re.IGNORECASE)
# Lists called secrets hold names; lists called so do not.
_SEVERAL = re.compile(
    r"(?:^|[._-])(?:passwords|passwds|passphrases|tokens|api[_-]?keys|access[_-]?keys|secret[_-]?keys|private[_-]?keys)$",
    re.IGNORECASE,
)
_PASSWORD = re.compile(r"(?:^|[._-])(?:passwords?|passwds?|passphrases?)$", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
INSIDE = ("value", "values", "plain", "plaintext", "content", "default")  # of a field that is a mapping


def key_material(value: Any) -> str | None:  # noqa: ANN401  (whatever a program writes)
    """What kind of key a text is or contains."""
    if not isinstance(value, str) or not _HINT.search(value):
        return None
    return next((kind for kind, form in _KEYS.items() if form.search(value)), None)


@cache
def _words(key: str) -> str:
    """The keys of a region are few, and each is there many times."""
    return _HUMP.sub("_", key)


@cache
def _several(key: str) -> bool:
    return bool(_SEVERAL.search(_words(key)))


@cache
def names_secret(key: str) -> bool:
    """Whether a field is called like what has a secret in it, and not like a reference to one."""
    return bool(_WORD.search(_words(key)))


def secrets_by_name(tree: Any, path: str = "") -> Iterator[tuple[str, str]]:  # noqa: ANN401  (as above)
    """The path and text of each value whose own field says that it is a secret: `adminPassword: hunter2`, and what
    hides one level deeper: `adminPassword: {value: hunter2}`, `passwords: [hunter2]`."""
    if isinstance(tree, dict):
        for key, value in cast("dict[str, Any]", tree).items():
            below = f"{path}.{key}" if path else key
            if names_secret(key) or _several(key):
                yield from _texts(value, below, key, several=_several(key))
            elif isinstance(value, dict | list):
                yield from secrets_by_name(value, below)
    elif isinstance(tree, list):
        for at, value in enumerate(cast("list[Any]", tree)):
            yield from secrets_by_name(value, f"{path}[{at}]")


def _texts(value: Any, path: str, key: str, *, several: bool) -> Iterator[tuple[str, str]]:  # noqa: ANN401
    if isinstance(value, dict):
        found = cast("dict[str, Any]", value)
        for inner, below in found.items():
            if inner in INSIDE:
                yield from _texts(below, f"{path}.{inner}", key, several=True)
        rest = {inner: below for inner, below in found.items() if inner not in INSIDE}
        yield from secrets_by_name(rest, path)
    elif isinstance(value, list):
        for at, one in enumerate(cast("list[Any]", value)):
            if several or not isinstance(one, str):
                yield from _texts(one, f"{path}[{at}]", key, several=several)
    elif isinstance(value, str) and value:
        yield path, value
    elif isinstance(value, int | float) and not isinstance(value, bool) and _PASSWORD.search(_words(key)):
        yield path, str(value)  # 12345 is one, too; a token of 3600 seconds is none
