"""How long a bake may look for a better take, in the panel's words; the worker's are the same in small letters."""

BUDGET_ITEMS = [
    ("DRAFT", "Draft", "One pass, for a quick look: where it fails, nothing else is tried"),
    (
        "GOOD",
        "Good",
        "Where it fails, variations are tried, for up to about ten times the clip's length. The same settings and seed "
        "give the same keys",
    ),
    ("BEST", "Best", "As long as something improves, which may be very long. Stop keeps the best so far"),
    ("SECONDS", "Seconds", "Variations are tried for this many seconds by the clock. Two bakes may differ"),
]


def budget_in_words(choice: str, seconds: float) -> str:
    """As on the command line."""
    return f"{seconds:.9g}" if choice == "SECONDS" else choice.lower()
