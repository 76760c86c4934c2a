"""From any biped rig to the segments of a body."""
