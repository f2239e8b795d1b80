"""What went wrong, as a sentence for a person."""


class Problem(Exception):  # noqa: N818  (the sentence is the message)
    """The message is the whole story: what happened to which cluster, and what to do."""


class Unreachable(Problem):
    """The garden gave no answer, which says nothing about what is in it."""


def silence(error: object, seconds: float) -> str:
    """Why somebody gave no answer who was waited for this long."""
    return f"nothing came within {seconds:.0f} s" if isinstance(error, TimeoutError) else str(error)
