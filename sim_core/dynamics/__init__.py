"""Kinematics, dynamics and momentum in batched numpy."""
