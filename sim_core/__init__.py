"""Heft's simulation core: a clip in, a physically simulated clip out. Never imports bpy."""
