"""Scenes to try Heft on, and what makes them."""
