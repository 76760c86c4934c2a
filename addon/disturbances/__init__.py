"""What happens to a character: pushes, throws, pulls, things to keep level, turns, and what its feet are to do."""
