"""Fewest keys: a motion sampled at every frame becomes curves with few keys, and no joint leaves its place."""
