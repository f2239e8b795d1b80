"""What every part of the configuration has in common."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Claim(BaseModel):
    """A frozen spec that refuses what it does not know.

    The text below a field describes it: to the editor by the JSON Schema, to the reader in docs/configuration.md.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_alias=True,
        validate_by_name=False,
        use_attribute_docstrings=True,
    )
