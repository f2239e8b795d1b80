"""What is said when somebody else has set in an object what this run wants to set in it."""

import re

TAKE_OVER = "PULUMI_K8S_ENABLE_PATCH_FORCE"
WHO = re.compile(r'conflicts? with "([^"]+)"')
WHAT = re.compile(r"(?<=\s)\.[A-Za-z][^\s,;]*")


def conflict(what: str, error: str) -> str | None:
    """One sentence, of the words of Kubernetes' server-side apply; None if they are about another thing."""
    found = WHO.search(error)
    if found is None:
        return None
    who = " and ".join(dict.fromkeys(WHO.findall(error)))
    fields = " and ".join(dict.fromkeys(WHAT.findall(error[found.start() :])))
    return (
        f"{what}: somebody else ({who}) has set {fields}, and this run wants it otherwise. Nothing was changed "
        "there: write into the stack file what is there, or take over what others have set with one update under "
        f"{TAKE_OVER}=true."
    )
