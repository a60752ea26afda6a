"""What a picture needs besides the run: camera, sun, sky and ground."""

import itertools
import math

import bpy
import numpy
from mathutils import Matrix, Vector

from . import axes, materials
from .objects import add_object

# A camera for runs without one: as `millrace render` chooses it.
DEFAULT_FOV = 40.0  # vertical [degrees]
FILL_WIDTH, FILL_HEIGHT = 0.76, 0.86
FROM = Vector((0.42, -1.0, 0.42))  # from the front, a little from the right and from above

# The sun stands to the left of the camera, a little behind the scene.
SUN_ELEVATION, SUN_FROM_CAMERA = math.radians(40), math.radians(-115)
SUN_STRENGTH, SUN_ANGLE = 4.5, math.radians(2.5)
SKY_STRENGTH = 0.65
SKY_HORIZON, SKY_ZENITH = (0.78, 0.87, 0.95), (0.17, 0.36, 0.75)
GROUND_COLOR = (0.62, 0.60, 0.57)
GROUND_SIZE = 60  # in sizes of the scene


def looking(eye, back):
    """The matrix of a camera at `eye` that looks against `back`, z up."""
    back = Vector(back).normalized()
    right = Vector((0, 0, 1)).cross(back)
    if right.length < 1e-6:  # straight up or down
        right = Vector((1, 0, 0))
    right.normalize()
    turn = Matrix((right, back.cross(right), back)).transposed()
    return Matrix.Translation(eye) @ turn.to_4x4()


def _fitting(corners, aspect):
    """(matrix, vertical opening [radians]) of a camera that sees all these points."""
    fov = math.radians(DEFAULT_FOV)
    low, high = corners.min(axis=0), corners.max(axis=0)
    center = Vector((low + high) / 2)
    turn = looking(center, FROM).to_3x3()
    distance = 0.0
    for corner in itertools.product(*zip(low, high)):
        right, up, back = turn.transposed() @ (Vector(corner) - center)
        width, height = abs(right) / (aspect * FILL_WIDTH), abs(up) / FILL_HEIGHT
        distance = max(distance, max(width, height) / math.tan(fov / 2) + back)
    return looking(center + FROM.normalized() * distance, FROM), fov


def add_camera(run, corners, scene, collection, parent):
    """That of the run's scene, or one that sees `corners`."""
    data = bpy.data.cameras.new("Millrace camera")
    given = run.scene.get("camera")
    if given and run.dimension == 3:
        turn = axes.turn_to_z_up(run.gravity)
        eye, target = (Vector(axes.turned(turn, given[k])) for k in ("position", "target"))
        matrix, fov = looking(eye, eye - target), math.radians(given.get("fov", DEFAULT_FOV))
    else:
        aspect = scene.render.resolution_x / scene.render.resolution_y
        matrix, fov = _fitting(corners, aspect)
    data.sensor_fit = "VERTICAL"
    data.angle = fov
    size = float(numpy.linalg.norm(numpy.ptp(corners, axis=0)))
    data.clip_start, data.clip_end = 0.002 * size, 100 * max(size, matrix.translation.length)
    camera = add_object("Millrace camera", data, collection, parent)
    camera.matrix_local = matrix
    scene.camera = camera
    return camera


def add_light(scene, collection, parent):
    """A sun and a clear sky; where the sun is follows from the camera, if there is one."""
    camera = scene.camera
    back = camera.matrix_basis.to_3x3() @ Vector((0, 0, 1)) if camera else FROM
    azimuth = math.atan2(back.y, back.x) + SUN_FROM_CAMERA
    sun = bpy.data.lights.new("Millrace sun", "SUN")
    sun.energy, sun.angle, sun.color = SUN_STRENGTH, SUN_ANGLE, (1.0, 0.93, 0.83)
    lamp = add_object("Millrace sun", sun, collection, parent)
    towards = Vector(
        (
            math.cos(SUN_ELEVATION) * math.cos(azimuth),
            math.cos(SUN_ELEVATION) * math.sin(azimuth),
            math.sin(SUN_ELEVATION),
        )
    )
    lamp.rotation_euler = towards.to_track_quat("Z", "Y").to_euler()

    # A plain gradient: without the glow around the sun of a real sky it needs few samples.
    world = bpy.data.worlds.new("Millrace sky")
    world.use_nodes = True
    tree = world.node_tree
    direction = tree.nodes.new("ShaderNodeTexCoord")
    parts, ramp = tree.nodes.new("ShaderNodeSeparateXYZ"), tree.nodes.new("ShaderNodeValToRGB")
    horizon, zenith = ramp.color_ramp.elements
    horizon.color, zenith.color = (*SKY_HORIZON, 1), (*SKY_ZENITH, 1)
    zenith.position = 0.65
    background = next(n for n in tree.nodes if n.bl_idname == "ShaderNodeBackground")
    background.inputs["Strength"].default_value = SKY_STRENGTH
    tree.links.new(direction.outputs["Generated"], parts.inputs[0])
    tree.links.new(parts.outputs["Z"], ramp.inputs[0])
    tree.links.new(ramp.outputs["Color"], background.inputs["Color"])
    world.cycles.sampling_method = "NONE"  # it is even: every sample goes to the sun instead
    scene.world = world


def _level_plane(run, turn):
    """The height of a level plane of the scene, or None."""
    for wall in run.scene.get("boundaries", []):
        if "plane" in wall and run.dimension == 3 and not wall.get("motion"):
            normal = Vector(axes.turned(turn, wall["plane"].get("normal", (0, 1, 0))))
            if normal.normalized().z > 0.999:
                return float(axes.turned(turn, wall["plane"]["point"])[2])
    return None


def add_ground(run, corners, collection, parent):
    """A large disc at a level plane of the scene, or just under everything."""
    size = float(numpy.linalg.norm(numpy.ptp(corners, axis=0))) or 1.0
    height = _level_plane(run, axes.turn_to_z_up(run.gravity))
    if height is None:
        height = float(corners[:, 2].min()) - 0.002 * size
    center = (corners.min(axis=0) + corners.max(axis=0)) / 2
    mesh = bpy.data.meshes.new("Millrace ground")
    angles = numpy.linspace(0, 2 * numpy.pi, 64, endpoint=False)
    circle = GROUND_SIZE * size * numpy.column_stack([numpy.cos(angles), numpy.sin(angles)])
    ring = [(x, y, height) for x, y in center[:2] + circle]
    mesh.from_pydata(ring, [], [list(range(len(ring)))])
    mesh.materials.append(materials.solid("Millrace ground", GROUND_COLOR, 0.9))
    return add_object("Millrace ground", mesh, collection, parent)
