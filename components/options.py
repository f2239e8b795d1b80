"""The options of every child resource, in one place."""

from collections.abc import Sequence

import pulumi


def child_opts(  # noqa: PLR0913  (each is an option of Pulumi)
    parent: pulumi.Resource | None,
    *,
    provider: pulumi.ProviderResource | None = None,
    protect: bool | None = None,
    depends_on: Sequence[pulumi.Resource] = (),
    deleted_with: pulumi.Resource | None = None,
    replace_with: Sequence[pulumi.Resource] = (),
    retain_on_delete: bool | None = None,
    ignore_changes: Sequence[str] = (),
    aliases: Sequence[pulumi.Alias] = (),
    custom_timeouts: pulumi.CustomTimeouts | None = None,
    before_update: pulumi.ResourceHook | None = None,
    on_error: pulumi.ErrorHook | None = None,
) -> pulumi.ResourceOptions:
    """Parent and provider are said for each child; everything else only where it means something.

    Aliases and other options of the component are not handed down: they are its own. `aliases` are the child's, whose
    name or parent is another than it was.
    """
    return pulumi.ResourceOptions(
        parent=parent,
        provider=provider,
        protect=protect,
        depends_on=list(depends_on),
        deleted_with=deleted_with,
        replace_with=list(replace_with) or None,
        retain_on_delete=retain_on_delete,
        ignore_changes=list(ignore_changes) or None,
        aliases=list(aliases) or None,
        custom_timeouts=custom_timeouts,
        hooks=pulumi.ResourceHookBinding(
            before_update=[before_update] if before_update else None, on_error=[on_error] if on_error else None
        ),
    )
