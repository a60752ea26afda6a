"""Brings the frame of a run into the meshes whenever Blender's frame changes.

An object that follows a run has these properties, which are saved with the .blend:
millrace_run (the folder, "//..." where it is relative to the .blend), millrace_run_absolute,
millrace_part ("surface", "particles" or "diffuse"), millrace_first_frame (Blender's frame of the
run's frame 0). Its mesh knows which frame it holds: millrace_frame, or NOTHING.
"""

import os

import bpy
import numpy
from bpy.app.handlers import persistent

from . import axes, meshes
from .errors import FileError
from .run_folder import RunFolder

NOTHING = -(10**9)
# Radii of diffuse particles in spacings, by kind: spray, foam, bubble.
DIFFUSE_RADII = numpy.array([0.1, 0.16, 0.11], numpy.float32)
FADING = 0.25  # the last part of its life in which a diffuse particle shrinks

_runs = {}  # folder: (time of its last change, RunFolder)


def follow(obj, run, part, first_frame):
    """From now on the object shows this part of the run."""
    obj["millrace_run"] = obj["millrace_run_absolute"] = run.folder
    if bpy.data.filepath:
        try:
            obj["millrace_run"] = bpy.path.relpath(run.folder)
        except ValueError:  # on another drive
            pass
    obj["millrace_part"] = part
    obj["millrace_first_frame"] = first_frame
    obj.data["millrace_frame"] = NOTHING


def _run_of(obj):
    """The run again, read anew when frames were added."""
    folder = bpy.path.abspath(obj["millrace_run"])
    if not os.path.isdir(folder):
        folder = obj.get("millrace_run_absolute", folder)
    if not os.path.isdir(folder):
        raise FileError(folder, "no such folder; set millrace_run of the object to the run")
    part = os.path.join(folder, obj["millrace_part"])
    changed = os.stat(part if os.path.isdir(part) else folder).st_mtime_ns
    key = (folder, obj["millrace_part"])
    if key not in _runs or _runs[key][0] != changed:
        _runs[key] = (changed, RunFolder(folder))
    return _runs[key][1]


def _diffuse_radii(frame, spacing):
    count = len(frame.points)
    kinds = numpy.minimum(frame.fields.get("kind", numpy.ones(count, "u4")), 2).astype(int)
    radii = spacing * DIFFUSE_RADII[kinds]
    if "age" in frame.fields and "lifetime" in frame.fields:
        left = 1 - frame.fields["age"] / numpy.maximum(frame.fields["lifetime"], 1e-9)
        radii = radii * numpy.clip(left / FADING, 0.2, 1) ** 0.5
    if "id" in frame.fields:  # not all the same: from 0.6 to 1.4 of it
        radii = radii * (0.6 + 0.8 * (frame.fields["id"] * 0.618034 % 1))
    return radii.astype(numpy.float32)


def _fill(mesh, run, part, frame):
    turn = axes.turn_to_z_up(run.gravity)
    attributes = {}
    for name, values in frame.fields.items():
        if values.ndim == 1:
            attributes[name] = values
        elif name not in ("normal", "normals") and values.shape[1] == 3:
            attributes[name] = axes.turned(turn, values)
    if part == "particles":
        attributes["radius"] = numpy.full(len(frame.points), 0.5 * run.spacing, numpy.float32)
    elif part == "diffuse":
        attributes["radius"] = _diffuse_radii(frame, run.spacing)
    indices = None
    if part == "surface" and "fluid" in frame.fields and len(frame.triangles):
        indices = frame.fields["fluid"][frame.triangles[:, 0]]
    meshes.fill(mesh, axes.turned(turn, frame.points), frame.triangles, attributes, indices)


def update_object(obj, frame_number):
    """Loads the frame if it is not there yet; raises FileError, the mesh is empty then."""
    part, mesh = obj["millrace_part"], obj.data
    number = frame_number - obj["millrace_first_frame"]
    if mesh.get("millrace_frame", NOTHING) == number:
        return
    mesh["millrace_frame"] = NOTHING
    meshes.fill(mesh, ())
    run = _run_of(obj)
    numbers = run.numbers()
    if not numbers or not numbers[0] <= number <= numbers[-1]:
        return  # before or after the run
    if part == "diffuse" and number not in run.frames[part]:
        return  # no foam yet
    _fill(mesh, run, part, run.read_frame(part, number))
    mesh["millrace_frame"] = number


def update(scene):
    """All objects that follow a run; returns one line for each that could not be loaded."""
    frame = scene.frame_current_final
    errors = []
    for obj in scene.objects:
        if "millrace_part" not in obj or obj.type != "MESH":
            continue
        # Cycles asks for times between frames for motion blur: `velocity` has that already.
        held = obj.data.get("millrace_frame", NOTHING) + obj["millrace_first_frame"]
        if scene.frame_subframe != 0 and abs(frame - held) <= 1:
            continue
        try:
            update_object(obj, int(numpy.floor(frame + 0.5)))
        except FileError as error:
            errors.append(str(error))
    return errors


@persistent
def on_frame_change(scene, _depsgraph=None):
    for error in update(scene):
        print(f"error: {error}")


def register():
    if on_frame_change not in bpy.app.handlers.frame_change_pre:
        bpy.app.handlers.frame_change_pre.append(on_frame_change)


def unregister():
    if on_frame_change in bpy.app.handlers.frame_change_pre:
        bpy.app.handlers.frame_change_pre.remove(on_frame_change)
