"""Rolls: how far a body has turned, where a clip rolls, and clips that roll as often as asked."""
