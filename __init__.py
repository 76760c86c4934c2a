"""Heft as a Blender extension. Nothing is imported before Blender asks for it, so that tests run without bpy."""


def register() -> None:
    from . import addon

    addon.register()


def unregister() -> None:
    from . import addon

    addon.unregister()
