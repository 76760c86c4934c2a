"""The sidebar: what an animator sees and presses."""
