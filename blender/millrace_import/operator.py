"""File > Import > Millrace run."""

import os

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from .errors import FileError
from .import_run import ImportOptions, import_run


class IMPORT_SCENE_OT_millrace(bpy.types.Operator, ImportHelper):
    """Import a run of Millrace: choose the scene.json in its folder"""

    bl_idname = "import_scene.millrace"
    bl_label = "Import Millrace run"
    bl_options = {"REGISTER", "UNDO"}

    filename_ext = ".json"
    filter_glob: StringProperty(default="scene.json", options={"HIDDEN"})
    surface: BoolProperty(name="Surface", default=True)
    particles: EnumProperty(
        name="Particles",
        items=(
            ("AUTO", "Without a surface", "Only where the run has no surface"),
            ("ALWAYS", "Always", ""),
            ("NEVER", "Never", ""),
        ),
        default="AUTO",
    )
    foam: BoolProperty(name="Foam", description="Spray, foam and bubbles", default=True)
    solids: BoolProperty(name="Walls and bodies", default=True)
    tanks: EnumProperty(
        name="Tanks",
        description="Walls that the water is inside of",
        items=(
            ("GLASS", "Glass", ""),
            ("HIDDEN", "Hidden in pictures", ""),
            ("SOLID", "Solid", ""),
        ),
        default="GLASS",
    )
    camera: BoolProperty(name="Camera", default=True)
    light: BoolProperty(name="Light and ground", default=True)
    first_frame: IntProperty(
        name="First frame", description="Where the run's frame 0 is in Blender", default=0
    )
    scale: FloatProperty(
        name="Scale", description="Units of Blender a metre", default=1.0, min=1e-4, max=1e4
    )

    def execute(self, context):
        folder = self.filepath
        if not os.path.isdir(folder):
            folder = os.path.dirname(folder)
        names = ImportOptions.__dataclass_fields__
        options = ImportOptions(**{name: getattr(self, name) for name in names})
        try:
            import_run(folder, options, context)
        except FileError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


def _menu(self, _context):
    self.layout.operator(IMPORT_SCENE_OT_millrace.bl_idname, text="Millrace run (scene.json)")


def register():
    bpy.utils.register_class(IMPORT_SCENE_OT_millrace)
    bpy.types.TOPBAR_MT_file_import.append(_menu)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(_menu)
    bpy.utils.unregister_class(IMPORT_SCENE_OT_millrace)
