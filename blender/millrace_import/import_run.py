"""Puts a whole run into the scene."""

from dataclasses import dataclass

import bpy
import numpy

from . import animation, axes, materials, objects, points, stage
from .errors import FileError
from .run_folder import RunFolder

# Light takes the colour of the fluid on this part of the edge of a cube of all its water.
CLARITY_PART = 0.6


@dataclass
class ImportOptions:
    surface: bool = True
    particles: str = "AUTO"  # "AUTO": where there is no surface; "ALWAYS", "NEVER"
    foam: bool = True
    solids: bool = True
    tanks: str = "GLASS"  # "GLASS", "HIDDEN" or "SOLID"
    camera: bool = True
    light: bool = True  # with the ground
    first_frame: int = 0  # Blender's frame of the run's frame 0
    scale: float = 1.0  # units of Blender a metre


def set_clock(scene, run, first_frame):
    """So that Blender plays the run as fast as it was: velocities are in units a second."""
    numbers = run.numbers() or [0]
    scene.frame_start = max(first_frame + numbers[0], 0)
    scene.frame_end = max(first_frame + numbers[-1], scene.frame_start)
    scene.render.fps = max(1, round(run.fps))
    scene.render.fps_base = scene.render.fps / run.fps


def has_denoiser():
    """Debian's Blender is built without one."""
    import _cycles

    return bool(getattr(_cycles, "with_openimagedenoise", False))


def _first_that_works(settings, name, *values):
    """Of names that differ between versions of Blender."""
    for value in values:
        try:
            setattr(settings, name, value)
            return
        except TypeError:
            pass


def set_cycles(scene):
    """Glass needs bounces, caustics would be noise."""
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 8, 2, 3
    cycles.transmission_bounces, cycles.volume_bounces, cycles.transparent_max_bounces = 8, 0, 24
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.blur_glossy = 0.0  # it would bring caustics back, as specks
    cycles.sample_clamp_indirect = 3.0
    scene.render.use_motion_blur = True
    scene.render.motion_blur_shutter = 0.5
    scene.render.use_lock_interface = True  # the meshes change while it renders
    cycles.use_denoising = has_denoiser()
    _first_that_works(scene.view_settings, "view_transform", "Filmic", "AgX")
    contrasts = ("Medium High Contrast", "Filmic - Medium High Contrast")
    _first_that_works(scene.view_settings, "look", *contrasts)
    scene.view_settings.exposure = 0.3


def _add_following(run, part, materials_of_it, options, collection, root):
    mesh = bpy.data.meshes.new(f"{run.name} {part}")
    for material in materials_of_it:
        mesh.materials.append(material)
    obj = objects.add_object(mesh.name, mesh, collection, root)
    animation.follow(obj, run, part, options.first_frame)
    return obj


def _extent(run, part, numbers):
    """(two corners without the outermost 1 %, number of points) of the first frame of these that
    can be read and has something, or None."""
    for number in numbers:
        try:
            places = run.read_frame(part, number).points
        except FileError:
            continue
        if len(places):
            places = axes.turned(axes.turn_to_z_up(run.gravity), places)
            return numpy.percentile(places, (1, 99), axis=0), len(places)
    return None


def _fluid_corners(run):
    """The extent of the fluid at the start and at the end, and how much there is [m^3]."""
    for part in ("particles", "surface"):
        numbers = run.numbers(part)
        start, end = _extent(run, part, numbers), _extent(run, part, numbers[::-1])
        if start:
            box = numpy.prod(numpy.maximum(numpy.ptp(start[0], axis=0), run.spacing))
            volume = start[1] * run.spacing**3 if part == "particles" else 0.6 * float(box)
            return numpy.concatenate([start[0], end[0]]), volume
    return None, 1.0


def hide_default_cube(scene):
    """The cube of a new file would stand in the water. Only one that nobody has touched."""
    for obj in scene.objects:
        is_new = obj.type == "MESH" and obj.name == "Cube" and len(obj.data.vertices) == 8
        if is_new and obj.matrix_world == obj.matrix_world.Identity(4):
            if all(abs(abs(x) - 1.0) < 1e-6 for v in obj.data.vertices for x in v.co):
                obj.hide_viewport = obj.hide_render = True


def import_run(folder, options, context=None):
    """Returns the empty that carries everything; raises FileError."""
    scene = (context or bpy.context).scene
    run = RunFolder(folder)
    if not run.numbers():
        raise FileError(folder, "no frames in it; the run has ended before the first one")
    poses = run.poses()  # a damaged file stops the import before anything is made
    hide_default_cube(scene)
    collection = bpy.data.collections.new(run.name)
    scene.collection.children.link(collection)
    root = objects.add_object(run.name, None, collection, None)
    root.scale = (options.scale,) * 3
    root["millrace_run"] = run.folder
    set_clock(scene, run, options.first_frame)
    set_cycles(scene)

    fluid, volume = _fluid_corners(run)
    tanks = walls = None
    if options.solids:
        solids, tanks, walls = objects.add_solids(run, collection, root, options.tanks)
        objects.add_keyframes(run, solids, options.first_frame, poses)
    colors = [one.get("color", (0.25, 0.55, 0.9)) for one in run.fluids()]
    has_surface = options.surface and bool(run.frames["surface"])
    if has_surface:
        clarity = CLARITY_PART * volume ** (1 / 3) * options.scale
        names = [fluid.get("name", "water") for fluid in run.fluids()]
        water = [materials.water(name, color, clarity) for name, color in zip(names, colors)]
        _add_following(run, "surface", water, options, collection, root)
    if run.frames["particles"] and (
        options.particles == "ALWAYS" or options.particles == "AUTO" and not has_surface
    ):
        paint = materials.particles(f"{run.name} particles", colors)
        obj = _add_following(run, "particles", [paint], options, collection, root)
        points.show_as_spheres(obj, paint)
    if options.foam and run.frames["diffuse"]:
        white = materials.foam("foam")
        obj = _add_following(run, "diffuse", [white], options, collection, root)
        points.show_as_spheres(obj, white)

    known = [c for c in (tanks, walls, fluid) if c is not None]
    seen = known[0] if known else numpy.array([[-1.0, -1, -1], [1, 1, 1]])
    if options.camera:
        stage.add_camera(run, seen, scene, collection, root)
    if options.light:
        stage.add_light(scene, collection, root)
        below = numpy.concatenate(known) if known else seen
        stage.add_ground(run, below, collection, root)
    scene.frame_set(scene.frame_start)  # loads the first frame
    return root
