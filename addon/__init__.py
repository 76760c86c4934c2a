"""The Blender side: reads rigs and actions, starts the worker, writes actions. The only room that may import bpy."""


def register() -> None:
    """There is no panel yet: Heft works on the command line."""


def unregister() -> None:
    """Nothing was registered."""
