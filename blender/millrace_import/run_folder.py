"""What a run of Millrace left in its folder: scene, frames, poses, surfaces."""

import json
import os
import re

from .errors import FileError
from .ply import read_ply
from .vtk_xml import read_vtk

FRAME_FILE = re.compile(r".*_(\d{6,})\.(vtp|vtu|ply)$")
PARTS = ("surface", "particles", "diffuse")  # the folders of frames


class RunFolder:
    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        if not os.path.isdir(self.folder):
            raise FileError(folder, "no such folder; give the folder of a Millrace run")
        self.scene = self._read_scene()
        self.frames = {part: self._find_frames(part) for part in PARTS}

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def _read_scene(self):
        path = self.path("scene.json")
        try:
            with open(path, encoding="utf-8") as file:
                scene = json.load(file)
            if not isinstance(scene, dict) or "millrace" not in scene:
                raise ValueError
            return scene
        except FileNotFoundError:
            raise FileError(self.folder, "no scene.json in it; give the folder of a run") from None
        except OSError as error:
            raise FileError(path, f"cannot be read: {error.strerror}") from None
        except ValueError:
            raise FileError(path, "is damaged or no scene of Millrace") from None

    def _find_frames(self, part):
        """{number: file}; where a frame is there in two formats, VTK."""
        try:
            names = sorted(os.listdir(self.path(part)))  # .ply before .vtp and .vtu
        except OSError:
            return {}
        matches = [FRAME_FILE.match(name) for name in names if not name.startswith(".")]
        return {int(m.group(1)): self.path(part, m.group(0)) for m in matches if m}

    def numbers(self, part=None):
        """Sorted numbers of the frames of a part, or of any."""
        parts = [part] if part else PARTS
        return sorted({number for p in parts for number in self.frames[p]})

    def expected_file(self, part, number):
        """Where a frame is, or would be."""
        if number in self.frames[part]:
            return self.frames[part][number]
        ending = "vtp" if part == "surface" else "vtu"
        return self.path(part, f"{self.name}_{number:06d}.{ending}")

    def read_frame(self, part, number):
        """An object with points, fields and triangles; raises FileError."""
        path = self.expected_file(part, number)
        frame = read_ply(path) if path.endswith(".ply") else read_vtk(path)
        if part == "surface" and frame.triangles is None:
            raise FileError(path, "has no triangles")
        return frame

    @property
    def name(self):
        return self.scene.get("name") or "run"

    @property
    def dimension(self):
        return self.scene.get("dimension", 3)

    @property
    def spacing(self):
        return float(self.scene.get("spacing", 0.02))

    @property
    def fps(self):
        return float(self.scene.get("output", {}).get("fps", 30))

    @property
    def gravity(self):
        return self.scene.get("gravity", [0, -9.81, 0])

    def fluids(self):
        return self.scene.get("fluids") or [{}]

    def solids(self):
        """[(description in the scene, is it a body, file of its surface)] of all that have one."""
        walls = self.scene.get("boundaries", [])
        bodies = self.scene.get("bodies", [])
        shared = {w.get("name") for w in walls} & {b.get("name") for b in bodies}
        found = []
        for objects, is_body in ((walls, False), (bodies, True)):
            prefix = ("body_" if is_body else "wall_") if shared else ""
            for one in objects:
                path = self.path("meshes", f"{prefix}{one.get('name')}.ply")
                if os.path.exists(path):
                    found.append((one, is_body, path))
        return found

    def poses(self):
        """One {"time": t, "bodies": {...}, "walls": {...}} a frame (docs/running.md)."""
        path = self.path("bodies.jsonl")
        lines = []
        try:
            with open(path, encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    if not line.strip():
                        continue
                    try:
                        pose = json.loads(line)
                        lines.append({k: pose.get(k, {}) for k in ("time", "bodies", "walls")})
                    except (ValueError, AttributeError):
                        raise FileError(path, f"line {number} is damaged") from None
        except FileNotFoundError:
            return []
        except OSError as error:
            raise FileError(path, f"cannot be read: {error.strerror}") from None
        return lines
