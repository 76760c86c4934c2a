"""The simulated body and how it is built from a rig."""
