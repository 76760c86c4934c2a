"""The baked actions of a rig, and what each came to."""
