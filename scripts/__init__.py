"""What builds Heft: python -m scripts.NAME from the repository's root."""
