"""A value that nothing can be computed from yet: what a plan knows of a garden that it cannot see."""

from typing import Any

import pulumi


def unknown() -> pulumi.Output[Any]:
    async def of(value: Any) -> Any:  # noqa: ANN401
        return value

    return pulumi.Output(set(), of(""), of(value=False))
