"""Tables of the pages."""

from collections.abc import Sequence


def table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    text = f"\n| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n"
    return text + "".join(f"| {' | '.join(line)} |\n" for line in lines)
