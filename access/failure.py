"""What Pulumi's Kubernetes provider says of a failure: whether it waited in vain, or was refused, and why."""

from collections.abc import Sequence

LONGEST = 400
# A change that the server refuses begins with the same words as one that did not become ready: only the end tells.
NOT_READY = "failed to fully initialize or become live"
TIMED_OUT = "timed out waiting"
STOPPED = "context canceled"  # by the person who runs the update
SERVER_SAID = "by the Kubernetes API server: "  # after which a refused creation quotes it


def interrupted(errors: Sequence[str]) -> bool:
    """Pulumi says so itself, and there is nothing to mend: what was begun goes on, and the next run waits for it."""
    return any(STOPPED in one for one in errors)


def waited(errors: Sequence[str]) -> bool:
    """The server took what was asked of it, and the operator was not done with it in time."""
    return any(TIMED_OUT in one for one in errors)


def refusal(error: str) -> str | None:
    """The server's own words, if it did not take what was asked of it."""
    if TIMED_OUT in error or STOPPED in error:
        return None
    found = next((mark for mark in (SERVER_SAID, f"{NOT_READY}: ") if mark in error), None)
    return line(error.rpartition(found)[2]) if found else None


def words(errors: Sequence[str]) -> str:
    """As much of it as a person needs: the server's words if it has spoken, else the provider's."""
    return "; ".join(dict.fromkeys(refusal(one) or line(one) for one in errors)) or "nothing more is known"


def line(said: str) -> str:
    """Without the full stop, and not endless."""
    text = " ".join(said.split())
    return (text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…").rstrip(".")
