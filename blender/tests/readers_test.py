"""The readers, without Blender: python3 -m unittest discover -s blender/tests -p readers_test.py"""

import os
import sys
import tempfile
import time
import unittest

import numpy

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import synthetic_run  # noqa: E402
from millrace_import import axes  # noqa: E402
from millrace_import.errors import FileError  # noqa: E402
from millrace_import.frame_lock import STALE_SECONDS, FrameLock  # noqa: E402
from millrace_import.ply import read_ply  # noqa: E402
from millrace_import.run_folder import RunFolder  # noqa: E402
from millrace_import.vtk_xml import read_vtk  # noqa: E402


class InAFolder(unittest.TestCase):
    def setUp(self):
        keeper = tempfile.TemporaryDirectory()
        self.addCleanup(keeper.cleanup)
        self.folder = keeper.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        return self.path(name)


class Vtk(InAFolder):
    def test_reads_what_was_written(self):
        points, triangles = synthetic_run.surface(2)
        fields = {
            "velocity": synthetic_run.velocity(points, 2),
            "fluid": numpy.arange(len(points), dtype="u4"),
        }
        text = synthetic_run.vtk_text(points, fields, 0.25, triangles)
        read = read_vtk(self.write("a.vtp", text))
        numpy.testing.assert_array_equal(read.points, points)
        numpy.testing.assert_array_equal(read.triangles, triangles)
        self.assertEqual(set(read.fields), set(fields))
        for name, values in fields.items():
            numpy.testing.assert_array_equal(read.fields[name], values)
        self.assertEqual(read.time, 0.25)

    def test_reads_an_empty_frame(self):
        places, fields = synthetic_run.diffuse(0)
        read = read_vtk(self.write("a.vtu", synthetic_run.vtk_text(places, fields, 0.0)))
        self.assertEqual(read.points.shape, (0, 3))
        self.assertIsNone(read.triangles)

    def test_names_a_damaged_file(self):
        points, triangles = synthetic_run.surface(0)
        good = synthetic_run.vtk_text(points, {}, 0.0, triangles)
        at = good.index('Name="Points"') + 400
        wrong_corner = synthetic_run.vtk_text(points, {}, 0.0, triangles + len(points))
        few_points = synthetic_run.vtk_text(points[:-1], {}, 0.0, triangles)
        cases = {
            "cut": good[: len(good) // 2],
            "empty": "",
            "flipped": good[:at] + ("A" if good[at] != "A" else "B") + good[at + 1 :],
            "corner": wrong_corner,
            "missing point": few_points,
            "other": "<html></html>",
        }
        for name, text in cases.items():
            with self.subTest(name), self.assertRaises(FileError) as caught:
                read_vtk(self.write("bad.vtp", text))
            self.assertIn("bad.vtp: ", str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))
        with self.assertRaisesRegex(FileError, "none.vtp: no such file"):
            read_vtk(self.path("none.vtp"))


class Ply(InAFolder):
    def test_reads_what_was_written(self):
        points, triangles = synthetic_run.surface(1)
        names = "nx ny nz vx vy vz wx wy wz".split()
        columns = {n: points[:, k % 3] * (k + 1) for k, n in enumerate(names)}
        read = read_ply(self.write("a.ply", synthetic_run.ply_bytes(points, columns, triangles)))
        numpy.testing.assert_array_equal(read.points, points)
        numpy.testing.assert_array_equal(read.triangles, triangles)
        self.assertEqual(set(read.fields), {"normal", "velocity", "vorticity"})
        numpy.testing.assert_array_equal(read.fields["velocity"][:, 1], columns["vy"])

    def test_names_a_damaged_file(self):
        points, triangles = synthetic_run.surface(0)
        good = synthetic_run.ply_bytes(points, {}, triangles)
        cases = {
            "cut": good[:-1],
            "longer": good + b"x",
            "header": good[:40],
            "corner": synthetic_run.ply_bytes(points, {}, triangles + len(points)),
            "text": b"ply\nformat ascii 1.0\nelement vertex 0\nend_header\n",
            "count": good.replace(b"element vertex", b"element vertex x"),
        }
        for name, data in cases.items():
            with self.subTest(name), self.assertRaisesRegex(FileError, "bad.ply: "):
                read_ply(self.write("bad.ply", data))


class Axes(unittest.TestCase):
    def test_y_up_becomes_z_up(self):
        turn = axes.turn_to_z_up([0, -9.81, 0])
        numpy.testing.assert_array_equal(axes.turned(turn, [1.0, 2.0, 3.0]), [1, -3, 2])

    def test_every_turn_is_a_rotation_that_puts_up_along_z(self):
        for k in range(3):
            for sign in (-1, 1):
                gravity = [0.0, 0.0, 0.0]
                gravity[k] = 9.81 * sign
                turn = axes.turn_to_z_up(gravity)
                numpy.testing.assert_allclose(axes.turned(turn, gravity), [0, 0, -9.81])
                self.assertAlmostEqual(numpy.linalg.det(turn), 1)
                numpy.testing.assert_array_equal(turn @ turn.T, numpy.eye(3))


class Run(InAFolder):
    def test_finds_frames_poses_and_surfaces(self):
        synthetic_run.write_run(self.folder)
        os.remove(self.path("surface", "basin_000001.vtp"))
        run = RunFolder(self.folder)
        self.assertEqual(run.numbers("surface"), [0, 2])
        self.assertEqual(run.numbers(), [0, 1, 2])
        self.assertEqual(run.fps, synthetic_run.FPS)
        self.assertEqual([one["name"] for one, _, _ in run.solids()], ["tank", "ramp", "buoy"])
        self.assertEqual(run.poses()[2]["bodies"]["buoy"]["position"], synthetic_run.pose(2)[0])
        with self.assertRaisesRegex(FileError, "basin_000001.vtp: no such file"):
            run.read_frame("surface", 1)

    def test_a_wall_and_a_body_of_the_same_name(self):
        synthetic_run.write_run(self.folder)
        scene = synthetic_run.scene()
        scene["bodies"][0]["name"] = "ramp"
        points, triangles = synthetic_run.surface(0)
        for name in ("wall_ramp", "body_ramp"):
            self.write(f"meshes/{name}.ply", synthetic_run.ply_bytes(points, {}, triangles))
        run = RunFolder(self.folder)
        run.scene = scene
        files = [(is_body, os.path.basename(path)) for _, is_body, path in run.solids()]
        self.assertEqual(files, [(False, "wall_ramp.ply"), (True, "body_ramp.ply")])

    def test_names_what_is_wrong(self):
        with self.assertRaisesRegex(FileError, "nowhere: no such folder"):
            RunFolder(self.path("nowhere"))
        with self.assertRaisesRegex(FileError, "no scene.json"):
            RunFolder(self.folder)
        self.write("scene.json", "{")
        with self.assertRaisesRegex(FileError, "scene.json: is damaged"):
            RunFolder(self.folder)
        self.write("scene.json", '{"millrace": 1}')
        self.write("bodies.jsonl", '{"time": 0}\n{"ti')
        with self.assertRaisesRegex(FileError, "bodies.jsonl: line 2 is damaged"):
            RunFolder(self.folder).poses()


class Lock(InAFolder):
    def test_only_one_takes_a_frame(self):
        first, second = FrameLock(self.folder, 7), FrameLock(self.folder, 7)
        self.assertTrue(first.take())
        self.assertFalse(second.take())
        first.release()
        self.assertTrue(second.take())
        self.write(os.path.basename(second.temporary), b"picture")
        second.publish()
        second.release()
        self.assertEqual(os.listdir(self.folder), ["frame_000007.png"])
        self.assertFalse(first.take())
        self.assertEqual(os.listdir(self.folder), ["frame_000007.png"])

    def test_a_stale_lock_is_taken_over(self):
        lock = FrameLock(self.folder, 7)
        self.write(".frame_000007.lock", "elsewhere 1\n")
        self.assertFalse(lock.take())
        old = time.time() - STALE_SECONDS - 10
        os.utime(lock.path, (old, old))
        self.write(".frame_000007.elsewhere.1.png", b"half a picture")
        self.assertTrue(lock.take())
        lock.release()
        self.assertEqual(os.listdir(self.folder), [])

    @unittest.skipUnless(os.name == "posix", "processes cannot be asked for")
    def test_the_lock_of_a_dead_process_is_taken_over(self):
        lock = FrameLock(self.folder, 7)
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        self.write(".frame_000007.lock", f"{lock.host} {child}\n")
        self.assertTrue(lock.take())


if __name__ == "__main__":
    unittest.main()
