"""Millrace import: brings runs of the fluid engine Millrace into Blender (docs/blender.md)."""

bl_info = {
    "name": "Millrace run",
    "author": "Millrace",
    "version": (1, 0, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > Millrace run",
    "description": "Imports a run: surface, foam, particles, bodies, camera and light",
    "category": "Import-Export",
}

try:
    import bpy  # noqa: F401
except ImportError:  # the readers are of use without Blender
    bpy = None

if bpy is not None:
    from . import animation, operator

    def register():
        operator.register()
        animation.register()

    def unregister():
        animation.unregister()
        operator.unregister()
