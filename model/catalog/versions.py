"""Ranges of semantic versions, as Helm and Flux read them, in the one form that everybody reads the same way."""

import re
from dataclasses import dataclass
from functools import cached_property, total_ordering

_NUMBER = r"(?:0|[1-9][0-9]*)"
_IDENTIFIER = r"(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_VERSION = re.compile(
    rf"v?({_NUMBER})\.({_NUMBER})\.({_NUMBER})(?:-({_IDENTIFIER}(?:\.{_IDENTIFIER})*))?(?:\+[0-9A-Za-z.-]+)?"
)
_COMPARATOR = re.compile(r"(>=|<=|>|<|=|)(.*)", re.DOTALL)

EXAMPLE = '">=1.16.0 <2.0.0"'


@total_ordering
@dataclass(frozen=True)
class Version:
    """One semantic version; build metadata has no rank and is left out."""

    major: int
    minor: int
    patch: int
    pre: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Version":
        match = _VERSION.fullmatch(text)
        if not match:
            raise ValueError(f"{text!r} is no version of three numbers, as in 1.16.0; a range looks like {EXAMPLE}")
        major, minor, patch, pre = match.groups()
        return cls(int(major), int(minor), int(patch), tuple(pre.split(".")) if pre else ())

    @cached_property
    def _rank(self) -> tuple[object, ...]:
        # A pre-release comes before its release; within it numbers come before words, and a longer one is later.
        marks = tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in self.pre)
        return (self.major, self.minor, self.patch, not self.pre, marks)

    def __lt__(self, other: "Version") -> bool:
        return self._rank < other._rank

    def __str__(self) -> str:
        core = f"{self.major}.{self.minor}.{self.patch}"
        return f"{core}-{'.'.join(self.pre)}" if self.pre else core


@dataclass(frozen=True)
class Comparator:
    operator: str
    version: Version

    def accepts(self, version: Version) -> bool:
        match self.operator:
            case ">=":
                return version >= self.version
            case ">":
                return version > self.version
            case "<=":
                return version <= self.version
            case "<":
                return version < self.version
            case _:
                return version == self.version


@dataclass(frozen=True)
class VersionRange:
    """Comparators that all must accept: bounded on both sides, or exactly one version."""

    text: str
    comparators: tuple[Comparator, ...]

    @classmethod
    def parse(cls, text: str) -> "VersionRange":
        if not text.strip():
            raise ValueError(f"write a range, as in {EXAMPLE}, or one version")
        found = cls(text, tuple(_comparator(word) for word in text.split()))
        if not found.exact:
            found._check_bounds()
        if not found.contains(found.lowest):
            raise ValueError("no version is inside: the lower bound must be below the upper one")
        return found

    def _check_bounds(self) -> None:
        operators = {comparator.operator for comparator in self.comparators}
        if not operators & {"<", "<="}:
            raise ValueError(f"add an upper bound, as in {self.text} <{self._next_major}")
        if not operators & {">", ">="}:
            raise ValueError(f"add a lower bound, as in >=0.1.0 {self.text}")

    @property
    def _next_major(self) -> str:
        return f"{max(one.version.major for one in self.comparators) + 1}.0.0"

    @property
    def exact(self) -> bool:
        return any(one.operator in {"", "="} for one in self.comparators)

    @property
    def lowest(self) -> Version:
        """The first release that can be inside, which is what stands for the range where one version is needed."""
        return max(_first(one) for one in self.comparators if one.operator not in {"<", "<="})

    def contains(self, version: str | Version) -> bool:
        """Whether Flux could choose the version; it takes a pre-release only where the range names one."""
        wanted = Version.parse(version) if isinstance(version, str) else version
        if wanted.pre and not any(one.version.pre for one in self.comparators):
            return False
        return all(one.accepts(wanted) for one in self.comparators)

    def __str__(self) -> str:
        return self.text


def _comparator(word: str) -> Comparator:
    match = _COMPARATOR.fullmatch(word)
    operator, version = match.groups() if match else ("", word)
    if not version:
        raise ValueError(f"write {operator} and its version together, as in {EXAMPLE}")
    if version[0] in "^~!" or "||" in version or any(part in {"x", "X", "*"} for part in version.split(".")):
        raise ValueError(f"{word!r} is a short form that tools read differently; write {EXAMPLE}")
    return Comparator(operator, Version.parse(version))


def _first(comparator: Comparator) -> Version:
    version = comparator.version
    if comparator.operator != ">":
        return version
    return Version(version.major, version.minor, version.patch + (not version.pre))
