"""A claim of which every field may be left out."""

from typing import Any

from pydantic import ConfigDict, Field, create_model

from model.claim import Claim


class _Described(Claim):
    """Has its descriptions already: looking for them below the fields of a class without source takes long."""

    model_config = ConfigDict(use_attribute_docstrings=False)


def partial(complete: type[Claim]) -> type[Claim]:
    """The same fields with the same words and descriptions, none of them required, down to the last level.

    Rules between fields are left to the complete claim that it becomes a part of.
    """
    fields: dict[str, Any] = {}
    for name, field in complete.model_fields.items():
        kind: Any = field.rebuild_annotation()
        if isinstance(kind, type) and issubclass(kind, Claim):
            kind = partial(kind)
        fields[name] = (kind | None, Field(default=None, description=field.description))
    return create_model(f"Partial{complete.__name__}", __base__=_Described, __doc__=complete.__doc__, **fields)
