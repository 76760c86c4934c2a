"""Rolling after Brown 2012: by excursion, with the pose of the phase, on whatever touches."""
