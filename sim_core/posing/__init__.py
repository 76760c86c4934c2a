"""Between a clip's bones and a body's coordinates."""
