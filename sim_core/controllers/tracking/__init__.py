"""Tracking by a short-horizon QP: objectives in, torques and friction-cone forces out."""
