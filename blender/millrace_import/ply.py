"""Reads the binary PLY files of a run: surfaces of walls, bodies and fluids, and particles."""

import numpy

from .errors import FileError

TYPES = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1",
    "short": "<i2", "int16": "<i2", "ushort": "<u2", "uint16": "<u2",
    "int": "<i4", "int32": "<i4", "uint": "<u4", "uint32": "<u4",
    "float": "<f4", "float32": "<f4", "double": "<f8", "float64": "<f8",
}  # fmt: skip
VECTORS = {
    "normal": ("nx", "ny", "nz"),
    "velocity": ("vx", "vy", "vz"),
    "vorticity": ("wx", "wy", "wz"),
}
DAMAGED = "is damaged or incomplete"
END = b"end_header\n"


class PlyFile:
    """As VtkFile, without a time."""

    def __init__(self, points, fields, triangles):
        self.points = points
        self.fields = fields
        self.triangles = triangles


def _vertex_type(path, properties):
    if any(words[1] == "list" for words in properties):
        raise FileError(path, "has lists at its vertices")
    return numpy.dtype([(words[2], TYPES[words[1]]) for words in properties])


def _face_type(path, properties):
    """Triangles only: the number 3, then three corners."""
    if len(properties) != 1 or properties[0][1] != "list":
        raise FileError(path, "has faces that this add-on does not read")
    _, _, count_type, corner_type, _ = properties[0]
    return numpy.dtype([("count", TYPES[count_type]), ("corners", TYPES[corner_type], 3)])


def _elements(path, header):
    """[(name, number, properties)] of the header's lines."""
    lines = [line.split() for line in header.decode("ascii", "replace").splitlines()]
    if not lines or lines[0] != ["ply"] or ["format", "binary_little_endian", "1.0"] not in lines:
        raise FileError(path, "is no binary little-endian PLY file")
    elements = []
    for words in lines:
        if words[:1] == ["element"]:
            elements.append((words[1], int(words[2]), []))
        elif words[:1] == ["property"]:
            elements[-1][2].append(words)
    return elements


def _parts(path, data):
    """{name of an element: its structured array}."""
    end = data.find(END)
    if end < 0:
        raise FileError(path, "is no PLY file, or is incomplete")
    start, parts = end + len(END), {}
    for name, count, properties in _elements(path, data[:end]):
        dtype = (_face_type if name == "face" else _vertex_type)(path, properties)
        if count < 0 or len(data) - start < count * dtype.itemsize:
            raise FileError(path, DAMAGED)
        parts[name] = numpy.frombuffer(data, dtype, count, start)
        start += count * dtype.itemsize
    if start != len(data):
        raise FileError(path, DAMAGED)
    return parts


def _columns(vertices, names):
    return numpy.column_stack([vertices[name] for name in names]).astype(numpy.float32)


def read_ply(path):
    """Raises FileError."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise FileError(path, "no such file") from None
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror}") from None
    try:
        parts = _parts(path, data)
        vertices = parts["vertex"]
        points = _columns(vertices, ("x", "y", "z"))
    except (KeyError, IndexError, ValueError):
        raise FileError(path, DAMAGED) from None
    taken = {"x", "y", "z"}
    fields = {}
    for name, columns in VECTORS.items():
        if all(column in vertices.dtype.names for column in columns):
            fields[name] = _columns(vertices, columns)
            taken.update(columns)
    fields.update({n: vertices[n] for n in vertices.dtype.names if n not in taken})
    triangles = None
    if "face" in parts:
        triangles = parts["face"]["corners"].astype(numpy.int32)
        if (parts["face"]["count"] != 3).any():
            raise FileError(path, "has faces that are no triangles")
        if len(triangles) and (triangles.min() < 0 or triangles.max() >= len(points)):
            raise FileError(path, "has a triangle with a corner that does not exist")
    return PlyFile(points, fields, triangles)
