"""What the files of a world are called."""

from pathlib import Path

from sim_core.settings import EngineName


def file_name(words: str) -> str:
    """Words as a name for a file: letters and numbers, and signs that tell slopes apart."""
    return "".join(letter if letter.isalnum() or letter in "+-" else "_" for letter in words.lower())


def strip_path(build: Path, world: str, engine: EngineName) -> Path:
    return build / "strips" / f"{file_name(world)}_{engine}.png"
