"""Walls and bodies: their surfaces, materials and keyframes."""

import bpy
import numpy
from mathutils import Quaternion

from . import axes, materials, meshes
from .ply import read_ply

# Radius of the bright edges of glass tanks, as part of the size of the tank.
EDGE_PART = 0.0007


def add_object(name, data, collection, parent):
    obj = bpy.data.objects.new(name, data)
    collection.objects.link(obj)
    obj.parent = parent
    return obj


def _show_to_camera_only(obj):
    """Panes in the way of every reflection and shadow would double the time of a picture."""
    obj.visible_diffuse = obj.visible_glossy = obj.visible_transmission = False
    obj.visible_volume_scatter = obj.visible_shadow = False


def _add_glass_edges(name, vertices, edges, collection, parent):
    """Thin rods along the edges of a tank, so that one sees where it is."""
    curve = bpy.data.curves.new(f"{name} edges", "CURVE")
    curve.dimensions = "3D"
    curve.bevel_depth = EDGE_PART * float(numpy.linalg.norm(numpy.ptp(vertices, axis=0)))
    curve.bevel_resolution = 1
    for a, b in edges:
        spline = curve.splines.new("POLY")
        spline.points.add(1)
        for point, vertex in zip(spline.points, (vertices[a], vertices[b])):
            point.co = (*vertex, 1)
    curve.materials.append(materials.solid(f"{name} edges", (0.88, 0.92, 0.94), 0.3))
    _show_to_camera_only(add_object(f"{name} edges", curve, collection, parent))


def add_solids(run, collection, parent, tanks):
    """Every wall and body with a surface; returns {("bodies" or "walls", name): object} and the
    corners [m] of the tanks and of all. `tanks`: "GLASS", "HIDDEN" or "SOLID"."""
    turn = axes.turn_to_z_up(run.gravity)
    found, tank_corners, all_corners = {}, [], []
    for one, is_body, path in run.solids():
        name, is_tank = one["name"], not is_body and one.get("inside", False)
        is_glass = is_tank or one.get("glass", False)
        ply = read_ply(path)
        vertices, triangles = meshes.welded(axes.turned(turn, ply.points), ply.triangles)
        mesh = bpy.data.meshes.new(name)
        meshes.fill(mesh, vertices, triangles)
        edges = meshes.hard_edges(vertices, triangles)
        meshes.mark_hard_edges(mesh, edges)
        obj = add_object(name, mesh, collection, parent)
        if is_glass and tanks != "SOLID":
            mesh.materials.append(materials.glass(name))
            _show_to_camera_only(obj)
            obj.display_type = "WIRE"
            obj.hide_render = tanks == "HIDDEN"
            if tanks == "GLASS":
                _add_glass_edges(name, vertices, edges, collection, obj)
        else:
            mesh.materials.append(materials.solid(name, one.get("color", (0.6, 0.6, 0.6))))
        found["bodies" if is_body else "walls", name] = obj
        if not is_body:
            (tank_corners if is_tank else all_corners).append(vertices)
    both = (tank_corners, tank_corners + all_corners)
    return found, *(numpy.concatenate(c) if c else None for c in both)


def add_keyframes(run, solids, first_frame, poses):
    """One a frame for everything that moves; a pose is `position` + `rotation` x."""
    if run.dimension != 3:
        return
    turn = axes.turn_to_z_up(run.gravity)
    before = {}
    for number, line in enumerate(poses):
        for kind in ("bodies", "walls"):
            for name, pose in line[kind].items():
                obj = solids.get((kind, name))
                if obj is None:
                    continue
                obj.rotation_mode = "QUATERNION"
                rotation = Quaternion(axes.turned_quaternion(turn, pose["rotation"]))
                if obj in before and rotation.dot(before[obj]) < 0:
                    rotation.negate()  # the same rotation, but the short way from the last one
                before[obj] = rotation
                obj.location = axes.turned(turn, pose["position"])
                obj.rotation_quaternion = rotation
                for path in ("location", "rotation_quaternion"):
                    obj.keyframe_insert(path, frame=first_frame + number)
