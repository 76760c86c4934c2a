"""Handles that show where a roll or a fall goes: which are there, where they are, and what they tell."""
