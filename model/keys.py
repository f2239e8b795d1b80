"""A key of a tenant on its way: from the Secret where it is made, by OpenBao, to the Secrets where it is used."""

from abc import ABC, abstractmethod
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Key(ABC):
    """Its names, which are all that this program ever sees of it."""

    tenant: str
    owner: str
    """Whose key it is; what pushes it to OpenBao is called so, too."""
    source: str
    """The Secret where it is made."""
    secret: str
    """The Secret in the tenant's namespace where it is used."""
    properties: tuple[str, ...]
    """What is taken of the Secret where it is made, under the same names all the way."""
    on_control_plane: bool = True
    on_hypervisors: bool = False

    @property
    @abstractmethod
    def path(self) -> str:
        """In OpenBao."""
