"""What is physical in a clip, and what a bake changed."""
