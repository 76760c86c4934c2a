"""From a rig in Blender to a clip in metres."""
