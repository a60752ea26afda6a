"""The add-on inside Blender; run.py starts it."""

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import bpy
import numpy
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

HERE = os.path.dirname(os.path.abspath(__file__))
BLENDER = os.path.dirname(HERE)
sys.path[:0] = [HERE, BLENDER]

import millrace_import  # noqa: E402
import synthetic_run  # noqa: E402
from millrace_import import animation, import_run, meshes, points  # noqa: E402
from millrace_import.import_run import ImportOptions  # noqa: E402
from readers_test import *  # noqa: E402, F401, F403

Z_UP = numpy.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], float)
SMALL = ("--size", "64x36", "--samples", "2")


def rotation_matrix(q):
    w, x, y, z = q
    return numpy.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def vectors(mesh, name=None):
    data, key = (mesh.attributes[name].data, "vector") if name else (mesh.vertices, "co")
    values = numpy.empty(3 * len(data), "f4")
    data.foreach_get(key, values)
    return values.reshape(-1, 3)


def world_vertices(obj):
    matrix = numpy.array(obj.matrix_world)
    return vectors(obj.data) @ matrix[:3, :3].T + matrix[:3, 3]


def sorted_rows(values):
    return values[numpy.lexsort(numpy.round(values, 4).T)]


def blender(*arguments):
    """A new Blender: exit code, lines of stdout, lines of stderr."""
    command = [bpy.app.binary_path, "-b", "--factory-startup", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout.splitlines(), done.stderr.splitlines()


def render_run(*arguments):
    return blender("--python", os.path.join(BLENDER, "render_run.py"), "--", *arguments)


def errors_in(lines):
    return [line for line in lines if line.startswith("error: ")]


def pixels_of(path):
    """(height, width, 4)"""
    image = bpy.data.images.load(path)
    pixels = numpy.empty(4 * image.size[0] * image.size[1], "f4")
    image.pixels.foreach_get(pixels)
    pixels = pixels.reshape(image.size[1], image.size[0], 4)
    bpy.data.images.remove(image)
    return pixels


class WithARun(unittest.TestCase):
    def setUp(self):
        keeper = tempfile.TemporaryDirectory()
        self.addCleanup(keeper.cleanup)
        self.folder = os.path.join(keeper.name, "out")
        synthetic_run.write_run(self.folder)
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        animation.register()
        self.scene = bpy.context.scene

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def cut(self, *names):
        with open(self.path(*names), "r+b") as file:
            file.truncate(os.path.getsize(self.path(*names)) // 2)


class Import(WithARun):
    def test_the_surface_follows_the_frame(self):
        import_run.import_run(self.folder, ImportOptions(first_frame=10))
        mesh = bpy.data.objects["basin surface"].data
        for frame in (0, 2, 1):
            self.scene.frame_set(10 + frame)
            points, triangles = synthetic_run.surface(frame)
            numpy.testing.assert_allclose(vectors(mesh), points @ Z_UP.T, atol=1e-6)
            self.assertEqual(len(mesh.polygons), len(triangles))
            expected = synthetic_run.velocity(points, frame) @ Z_UP.T
            numpy.testing.assert_allclose(vectors(mesh, "velocity"), expected, atol=1e-5)
            self.assertFalse(mesh.validate())
        self.assertEqual((self.scene.frame_start, self.scene.frame_end), (10, 12))
        rate = self.scene.render.fps / self.scene.render.fps_base
        self.assertAlmostEqual(rate, synthetic_run.FPS, places=4)
        self.scene.frame_set(20)  # after the run
        self.assertEqual(len(mesh.vertices), 0)

    def test_the_cube_of_a_new_file_is_hidden_but_no_other(self):
        bpy.ops.mesh.primitive_cube_add(size=2)
        new = bpy.context.object
        bpy.ops.mesh.primitive_cube_add(size=2, location=(1, 0, 0))
        own = bpy.context.object
        self.assertEqual(new.name, "Cube")
        bpy.context.view_layer.update()
        import_run.import_run(self.folder, ImportOptions())
        self.assertTrue(new.hide_viewport and new.hide_render)
        self.assertFalse(own.hide_viewport or own.hide_render)

    def test_times_between_frames_leave_the_mesh_alone(self):
        import_run.import_run(self.folder, ImportOptions())
        mesh = bpy.data.objects["basin surface"].data
        self.scene.frame_set(1)
        count = len(mesh.vertices)
        for frame, subframe in ((0, 0.5), (1, 0.5), (1, 0.25)):
            self.scene.frame_set(frame, subframe=subframe)
            self.assertEqual(len(mesh.vertices), count)

    def test_foam_is_a_cloud_of_spheres_with_velocities(self):
        import_run.import_run(self.folder, ImportOptions())
        obj = bpy.data.objects["basin diffuse"]
        for frame in (0, 2):
            self.scene.frame_set(frame)
            places, fields = synthetic_run.diffuse(frame)
            self.assertEqual(len(obj.data.vertices), len(places))
        numpy.testing.assert_allclose(
            vectors(obj.data, "velocity"), fields["velocity"] @ Z_UP.T, atol=1e-5
        )
        kinds = [one.value for one in obj.data.attributes["kind"].data]
        self.assertEqual(kinds, list(fields["kind"]))
        self.assertTrue(all(one.value > 0 for one in obj.data.attributes["radius"].data))
        shown = bpy.context.evaluated_depsgraph_get().object_instances
        clouds = [len(i.object.data.points) for i in shown if i.object.type == "POINTCLOUD"]
        self.assertEqual(clouds, [len(places)])

    def test_bodies_and_scripted_walls_are_where_they_were(self):
        import_run.import_run(self.folder, ImportOptions(scale=2.0))
        for name, size in (("buoy", 0.15), ("ramp", 0.2)):
            own, _ = synthetic_run.ball(4, numpy.array([0.0, size, 0.0]), size)
            for frame in range(synthetic_run.FRAMES):
                self.scene.frame_set(frame)
                position, rotation = synthetic_run.pose(frame)
                if name == "ramp":
                    position, rotation = [0.1 * frame, 0, 0], [1, 0, 0, 0]
                run_places = own @ rotation_matrix(rotation).T + position
                found = world_vertices(bpy.data.objects[name])
                numpy.testing.assert_allclose(
                    sorted_rows(found), sorted_rows(2 * run_places @ Z_UP.T), atol=1e-5
                )

    def test_the_camera_is_that_of_the_scene(self):
        import_run.import_run(self.folder, ImportOptions())
        bpy.context.view_layer.update()
        camera, given = self.scene.camera, synthetic_run.CAMERA
        eye, target = (Z_UP @ given[k] for k in ("position", "target"))
        numpy.testing.assert_allclose(camera.matrix_world.translation, eye, atol=1e-6)
        seen = world_to_camera_view(self.scene, camera, Vector(target))
        numpy.testing.assert_allclose(seen[:2], (0.5, 0.5), atol=1e-5)
        # half the opening above the middle is the upper edge of the picture
        up = camera.matrix_world.to_3x3() @ Vector((0, 1, 0))
        self.assertGreater(up.z, 0.5)
        half = numpy.linalg.norm(eye - target) * math.tan(math.radians(given["fov"] / 2))
        seen = world_to_camera_view(self.scene, camera, Vector(target) + up * half)
        self.assertAlmostEqual(seen[1], 1.0, places=4)

    def test_without_a_camera_the_tank_is_seen_whole(self):
        without = {k: v for k, v in synthetic_run.scene().items() if k != "camera"}
        with open(self.path("scene.json"), "w") as file:
            json.dump(without, file)
        import_run.import_run(self.folder, ImportOptions())
        bpy.context.view_layer.update()
        for place in world_vertices(bpy.data.objects["tank"]):
            seen = world_to_camera_view(self.scene, self.scene.camera, Vector(place))
            self.assertTrue(0 < seen[0] < 1 and 0 < seen[1] < 1 and seen[2] > 0)

    def test_edges_of_a_box_are_hard_those_of_a_ball_are_not(self):
        corners = numpy.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
        quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        box = numpy.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])
        self.assertEqual(len(meshes.hard_edges(corners, box)), 12)
        self.assertEqual(len(meshes.hard_edges(corners, box[1:])), 13)
        points, triangles = synthetic_run.ball(12, numpy.zeros(3), 1.0)
        self.assertEqual(len(meshes.hard_edges(points, triangles)), 0)

    def test_a_damaged_frame_is_named_and_the_next_one_loads(self):
        import_run.import_run(self.folder, ImportOptions())
        self.cut("surface", "basin_000001.vtp")
        mesh = bpy.data.objects["basin surface"].data
        self.scene.frame_set(1)
        (error,) = animation.update(self.scene)
        self.assertIn("basin_000001.vtp: is damaged", error)
        self.assertEqual(len(mesh.vertices), 0)
        self.scene.frame_set(2)
        self.assertEqual(animation.update(self.scene), [])
        self.assertGreater(len(mesh.vertices), 0)

    def test_without_a_surface_particles_are_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            synthetic_run.write_run(folder, surfaces=False)
            import_run.import_run(folder, ImportOptions())
            self.assertNotIn("basin surface", bpy.data.objects)
            mesh = bpy.data.objects["basin particles"].data
            self.assertEqual(len(mesh.vertices), len(synthetic_run.surface(0)[0]))
            self.assertAlmostEqual(mesh.attributes["radius"].data[0].value, 0.025, places=6)

    def test_every_fluid_has_its_material(self):
        scene = synthetic_run.scene()
        scene["fluids"].append({"name": "oil", "color": [0.8, 0.6, 0.1]})
        with open(self.path("scene.json"), "w") as file:
            json.dump(scene, file)
        places, triangles = synthetic_run.surface(0)
        fluid = (numpy.arange(len(places)) % 2).astype("u4")
        with open(self.path("surface", "basin_000000.vtp"), "w") as file:
            file.write(synthetic_run.vtk_text(places, {"fluid": fluid}, 0.0, triangles))
        import_run.import_run(self.folder, ImportOptions(particles="ALWAYS"))
        mesh = bpy.data.objects["basin surface"].data
        self.assertEqual([material.name for material in mesh.materials], ["water", "oil"])
        chosen = [polygon.material_index for polygon in mesh.polygons]
        self.assertEqual(chosen, list(fluid[triangles[:, 0]]))

    def test_the_menu_imports_and_tells_errors(self):
        millrace_import.register()
        self.addCleanup(millrace_import.unregister)
        bpy.ops.import_scene.millrace(filepath=self.path("scene.json"), camera=False)
        self.assertIn("basin surface", bpy.data.objects)
        self.assertIsNone(self.scene.camera)
        with self.assertRaisesRegex(RuntimeError, "no such folder"):
            bpy.ops.import_scene.millrace(filepath="/nowhere/at/all/scene.json")


class Saved(WithARun):
    def test_a_saved_file_goes_on_in_another_place(self):
        """Moved together with its run, opened by another Blender with the add-on."""
        above = os.path.dirname(self.folder)
        file = os.path.join(above, "shot.blend")
        bpy.ops.wm.save_as_mainfile(filepath=file)
        import_run.import_run(self.folder, ImportOptions())
        bpy.ops.wm.save_as_mainfile(filepath=file)
        moved = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, moved)
        for name in ("shot.blend", "out"):
            os.rename(os.path.join(above, name), os.path.join(moved, name))
        check = (
            f"import sys; sys.path.insert(0, {BLENDER!r}); import bpy, millrace_import\n"
            "millrace_import.register()\n"
            f"bpy.ops.wm.open_mainfile(filepath={os.path.join(moved, 'shot.blend')!r})\n"
            "for frame in (2, 1): bpy.context.scene.frame_set(frame)\n"
            "print('vertices', len(bpy.data.objects['basin surface'].data.vertices))\n"
        )
        code, output, _ = blender("--python-expr", check)
        self.assertEqual(code, 0)
        self.assertIn(f"vertices {len(synthetic_run.surface(1)[0])}", output)


class MotionBlur(unittest.TestCase):
    """Cycles takes the attribute `velocity` as units a second, of meshes and of points."""

    RADIUS, SPEED, SHUTTER, FPS = 0.2, 40.0, 0.5, 25

    def setUp(self):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        self.scene = scene = bpy.context.scene
        import_run.set_cycles(scene)
        scene.render.fps, scene.render.motion_blur_shutter = self.FPS, self.SHUTTER
        scene.render.resolution_x, scene.render.resolution_y = 200, 20
        scene.cycles.samples, scene.cycles.use_adaptive_sampling = 64, False
        data = bpy.data.cameras.new("camera")
        data.type, data.ortho_scale = "ORTHO", 4
        scene.camera = bpy.data.objects.new("camera", data)
        scene.camera.location, scene.camera.rotation_euler = (0, -5, 0), (math.pi / 2, 0, 0)
        self.material = bpy.data.materials.new("lamp")
        self.material.use_nodes = True
        tree = self.material.node_tree
        lamp = tree.nodes.new("ShaderNodeEmission")
        tree.links.new(lamp.outputs[0], tree.nodes["Material Output"].inputs["Surface"])
        self.mesh = bpy.data.meshes.new("ball")
        self.mesh.materials.append(self.material)
        self.ball = bpy.data.objects.new("ball", self.mesh)
        for obj in (scene.camera, self.ball):
            scene.collection.objects.link(obj)

    def check_width(self):
        """Of the bright part of the middle row: the ball and its way while the shutter is open."""
        for is_blurred in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "blur.png")
                self.scene.render.use_motion_blur = is_blurred
                self.scene.render.filepath = path
                bpy.ops.render.render(write_still=True)
                row = pixels_of(path)[10, :, 0]
            way = self.SPEED * self.SHUTTER / self.FPS if is_blurred else 0
            width = 4 * float((row > 0.05).mean())
            self.assertAlmostEqual(width, 2 * self.RADIUS + way, delta=0.06)

    def test_of_a_surface(self):
        places, triangles = synthetic_run.ball(24, numpy.zeros(3), self.RADIUS)
        velocity = numpy.tile([self.SPEED, 0.0, 0.0], (len(places), 1))
        meshes.fill(self.mesh, places, triangles, {"velocity": velocity})
        self.check_width()

    def test_of_foam(self):
        attributes = {
            "velocity": numpy.array([[self.SPEED, 0.0, 0.0]]),
            "radius": numpy.array([self.RADIUS]),
        }
        meshes.fill(self.mesh, numpy.zeros((1, 3)), None, attributes)
        points.show_as_spheres(self.ball, self.material)
        self.check_width()


class Render(WithARun):
    def test_draws_every_frame_but_damaged_ones(self):
        self.cut("surface", "basin_000001.vtp")
        code, output, errors = render_run(self.folder, *SMALL)
        self.assertEqual(code, 1)
        (error,) = errors_in(errors)
        self.assertIn("frame 1: ", error)
        self.assertIn("basin_000001.vtp", error)
        self.assertIn("frame 1 of 3", output)
        self.assertIn("frame 3 of 3", output)
        pictures = sorted(os.listdir(self.path("render_blender")))
        self.assertEqual(pictures, ["frame_000000.png", "frame_000002.png"])
        for name in pictures:
            picture = pixels_of(self.path("render_blender", name))[:, :, :3]
            self.assertEqual(picture.shape, (36, 64, 3))
            self.assertGreater(picture.mean(), 0.1)
            self.assertGreater(picture.std(), 0.02)

        # a second call draws only what is missing
        os.remove(self.path("surface", "basin_000001.vtp"))
        points, triangles = synthetic_run.surface(1)
        with open(self.path("surface", "basin_000001.vtp"), "w") as file:
            file.write(synthetic_run.vtk_text(points, {}, 0.04, triangles))
        first = self.path("render_blender", "frame_000000.png")
        before = os.stat(first).st_mtime_ns
        code, output, errors = render_run(self.folder, *SMALL, "--frames", "0:1")
        self.assertEqual((code, errors_in(errors)), (0, []))
        self.assertIn("frame 1 of 2 (is there)", output)
        self.assertIn("frame 2 of 2", output)
        self.assertEqual(os.stat(first).st_mtime_ns, before)
        self.assertTrue(os.path.exists(self.path("render_blender", "frame_000001.png")))

    def test_wrong_input_is_one_line(self):
        for arguments, text in (
            ((self.path("nowhere"),), "nowhere: no such folder"),
            ((self.folder, "--frames", "7"), "--frames: the run has the frames 0 to 2"),
            ((self.folder, "--size", "big"), "--size: must be WIDTHxHEIGHT"),
        ):
            code, _, errors = render_run(*arguments)
            self.assertEqual(code, 2)
            (error,) = errors_in(errors)
            self.assertIn(text, error)
            self.assertFalse(os.path.exists(self.path("render_blender")))


if __name__ == "__main__":
    result = unittest.main(argv=["in_blender", *sys.argv[sys.argv.index("--") + 1 :]], exit=False)
    sys.exit(0 if result.result.wasSuccessful() else 1)
