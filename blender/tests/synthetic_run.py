"""Writes a small run with known numbers, independently of the readers."""

import base64
import json
import os
import struct
import zlib

import numpy

FRAMES = 3
FPS = 25.0
BLOCK = 1000  # small, so that arrays have several blocks
VTK_TYPES = {"f4": "Float32", "f8": "Float64", "i4": "Int32", "u4": "UInt32"}
CAMERA = {"position": [0.5, 1.5, 4.0], "target": [0.2, 0.4, 0.1], "fov": 30.0}


def vtk_array(name, values, more=""):
    raw = values.tobytes()
    blocks = [zlib.compress(raw[i : i + BLOCK], 1) for i in range(0, len(raw), BLOCK)]
    words = [len(blocks), BLOCK, len(raw) % BLOCK] + [len(b) for b in blocks]
    header = struct.pack(f"<{len(words)}I", *words)
    text = base64.b64encode(header) + base64.b64encode(b"".join(blocks))
    components = values.shape[1] if values.ndim == 2 else 1
    return (
        f'<DataArray type="{VTK_TYPES[values.dtype.str[1:]]}" Name="{name}" '
        f'NumberOfComponents="{components}"{more} format="binary">\n{text.decode()}\n</DataArray>\n'
    )


def vtk_text(points, fields, time, triangles=None):
    kind = "UnstructuredGrid" if triangles is None else "PolyData"
    text = (
        f'<?xml version="1.0"?>\n<VTKFile type="{kind}" version="1.0" byte_order="LittleEndian" '
        f'header_type="UInt32" compressor="vtkZLibDataCompressor">\n<{kind}>\n<FieldData>\n'
    )
    text += vtk_array("TimeValue", numpy.array([time]), ' NumberOfTuples="1"') + "</FieldData>\n"
    cells = len(points) if triangles is None else len(triangles)
    number = "NumberOfCells" if triangles is None else "NumberOfPolys"
    text += f'<Piece NumberOfPoints="{len(points)}" {number}="{cells}">\n<PointData>\n'
    text += "".join(vtk_array(name, values) for name, values in fields.items())
    text += "</PointData>\n<Points>\n" + vtk_array("Points", points) + "</Points>\n"
    if triangles is not None:
        offsets = numpy.arange(3, 3 * len(triangles) + 1, 3, dtype="i4")
        text += "<Polys>\n" + vtk_array("connectivity", triangles.astype("i4").ravel())
        text += vtk_array("offsets", offsets) + "</Polys>\n"
    return text + f"</Piece>\n</{kind}>\n</VTKFile>\n"


def ply_bytes(points, fields, triangles):
    """Fields are columns with the names of the file."""
    columns = ["x", "y", "z", *fields]
    header = f"ply\nformat binary_little_endian 1.0\nelement vertex {len(points)}\n"
    header += "".join(f"property float {name}\n" for name in columns)
    header += f"element face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n"
    data = numpy.column_stack([points, *fields.values()]).astype("<f4").tobytes()
    faces = b"".join(struct.pack("<B3i", 3, *(int(c) for c in t)) for t in triangles)
    return header.encode() + data + faces


def ball(rings, center, radius):
    """Closed, counter-clockwise from outside: poles and rings of 2 `rings` vertices."""
    around = 2 * rings
    theta = numpy.pi * numpy.arange(1, rings) / rings
    phi = 2 * numpy.pi * numpy.arange(around) / around
    t, p = (a.ravel() for a in numpy.meshgrid(theta, phi, indexing="ij"))
    sine = numpy.sin(t)
    side = numpy.column_stack([sine * numpy.cos(p), sine * numpy.sin(p), numpy.cos(t)])
    points = numpy.concatenate([side, [[0, 0, 1], [0, 0, -1]]])
    north, south, triangles = len(side), len(side) + 1, []
    for k in range(around):
        n = (k + 1) % around
        triangles.append((north, k, n))
        triangles.append((south, (rings - 2) * around + n, (rings - 2) * around + k))
        for r in range(rings - 2):
            a, b, c, d = r * around + k, r * around + n, (r + 1) * around + n, (r + 1) * around + k
            triangles += [(a, d, c), (a, c, b)]
    return (center + radius * points).astype("f4"), numpy.array(triangles, "i4")


def surface(frame):
    """Another number of vertices in every frame."""
    return ball(6 + frame, numpy.array([0.5, 0.4 + 0.05 * frame, 0.3]), 0.3)


def velocity(points, frame):
    return (points * [1.0, 2.0, 3.0] + frame).astype("f4")


def pose(frame):
    """Position and rotation (w, x, y, z) of the body."""
    axis, angle = numpy.array([1.0, 2.0, -2.0]) / 3, 0.4 + 0.3 * frame
    rotation = [float(numpy.cos(angle / 2)), *(float(a) for a in numpy.sin(angle / 2) * axis)]
    return [0.2, 0.6 + 0.1 * frame, -0.1], rotation


def diffuse(frame):
    count = 20 * frame
    places = numpy.random.default_rng(frame).uniform(0, 1, (count, 3)).astype("f4")
    fields = {
        "velocity": velocity(places, frame),
        "kind": (numpy.arange(count) % 3).astype("u4"),
        "age": numpy.full(count, 0.1, "f4"),
        "lifetime": numpy.full(count, 2.0, "f4"),
        "id": numpy.arange(count, dtype="u4"),
    }
    return places, fields


def _write(folder, name, data):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def scene():
    return {
        "millrace": 1,
        "name": "basin",
        "dimension": 3,
        "spacing": 0.05,
        "gravity": [0.0, -9.81, 0.0],
        "fluids": [{"name": "water", "color": [0.25, 0.55, 0.9]}],
        "boundaries": [
            {"name": "tank", "inside": True, "color": [0.6, 0.6, 0.6]},
            {"name": "ramp", "inside": False, "color": [0.5, 0.4, 0.3]},
        ],
        "bodies": [{"name": "buoy", "color": [0.9, 0.3, 0.1]}],
        "output": {"fps": FPS},
        "camera": CAMERA,
    }


def write_run(folder, surfaces=True):
    _write(folder, "scene.json", json.dumps(scene()))
    lines = []
    for frame in range(FRAMES):
        time = frame / FPS
        points, triangles = surface(frame)
        fields = {"velocity": velocity(points, frame)}
        name = f"basin_{frame:06d}"
        if surfaces:
            text = vtk_text(points, fields, time, triangles)
            _write(folder, f"surface/{name}.vtp", text)
            places, foam = diffuse(frame)
            _write(folder, f"diffuse/{name}.vtu", vtk_text(places, foam, time))
        _write(folder, f"particles/{name}.vtu", vtk_text(points, fields, time))
        position, rotation = pose(frame)
        body = {"position": position, "rotation": rotation}
        wall = {"position": [0.1 * frame, 0, 0], "rotation": [1, 0, 0, 0]}
        line = {"time": time, "bodies": {"buoy": body}, "walls": {"ramp": wall}}
        lines.append(json.dumps(line) + "\n")
    _write(folder, "bodies.jsonl", "".join(lines))
    for name, size in (("tank", 1.0), ("ramp", 0.2), ("buoy", 0.15)):
        points, triangles = ball(4, numpy.array([0.0, size, 0.0]), size)
        _write(folder, f"meshes/{name}.ply", ply_bytes(points, {}, triangles))
