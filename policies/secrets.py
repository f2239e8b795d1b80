"""What a secret looks like, wherever it stands."""

import re
from typing import Any

_KEYS = {
    "a private key": re.compile(
        r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----|LS0tLS1CRUdJTi[A-Za-z0-9+/]*(?:UFJJVkFURS|QUklWQVRF|BSSVZBVE)"
    ),
    "a key of Ceph": re.compile(r"(?<![A-Za-z0-9+/=])AQ[A-Za-z0-9+/]{36}==(?![A-Za-z0-9+/=])"),
    "a token": re.compile(r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    "an access key": re.compile(r"(?<![A-Z0-9])AKIA[0-9A-Z]{16}(?![A-Z0-9])|(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{36}"),
    "a credential of a kubeconfig": re.compile(r"(?m)^\s*(?:client-key-data|token|password):\s*[^\s\"'{][^\s]{7,}"),
}
_WORD = re.compile(
    r"(?:^|[._-])(?:password|passwd|passphrase|secret|token|apikey|api[_-]key|accesskey|access[_-]key|secret[_-]?key|"
    r"private[_-]?key|userkey|client[_-]?secret|credentials?)$",
    re.IGNORECASE,
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def key_material(value: Any) -> str | None:  # noqa: ANN401  (whatever a program writes)
    """What kind of key a text is or contains."""
    if not isinstance(value, str):
        return None
    return next((kind for kind, form in _KEYS.items() if form.search(value)), None)


def names_secret(key: str) -> bool:
    """Whether a field is called like what has a secret in it, and not like a reference to one."""
    return bool(_WORD.search(_HUMP.sub("_", key)))
