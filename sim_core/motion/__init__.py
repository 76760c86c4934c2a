"""Motion files, skeletons and clips."""
