"""From a clip to the keys of a new action."""
