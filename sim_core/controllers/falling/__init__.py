"""Falling after Brown 2012: a reflex, then splines for the weight, the turn and the arms, then rest."""
