"""Reads the VTK XML files of a run: particles (.vtu) and surfaces (.vtp).

The arrays are inline base64 of blocks that zlib has packed one by one, behind a header of UInt32:
number of blocks, size of a block, size of a last partial block or 0, every packed size.
"""

import base64
import xml.etree.ElementTree as ElementTree
import zlib

import numpy

from .errors import FileError

TYPES = {
    "Float32": "<f4",
    "Float64": "<f8",
    "Int32": "<i4",
    "UInt32": "<u4",
    "Int64": "<i8",
    "UInt8": "u1",
}
HEADER_WORDS = 3
DAMAGED = "is damaged or incomplete"


class VtkFile:
    """Points, the arrays of the points and, in a surface, triangles."""

    def __init__(self, points, fields, triangles, time):
        self.points = points  # (n, 3) [m]
        self.fields = fields  # name: (n,) or (n, components)
        self.triangles = triangles  # (m, 3), or None
        self.time = time  # [s], or None


def _base64_length(size):
    return (size + 2) // 3 * 4


def _decode(text):
    """The bytes of an inline array; raises ValueError or zlib.error."""
    text = "".join(text.split())
    head = base64.b64decode(text[: _base64_length(4 * HEADER_WORDS)], validate=True)
    blocks, block_size, partial = (int(w) for w in numpy.frombuffer(head, "<u4", HEADER_WORDS))
    if blocks == 0:
        return b""
    header_length = _base64_length(4 * (HEADER_WORDS + blocks))
    header = base64.b64decode(text[:header_length], validate=True)
    packed_sizes = numpy.frombuffer(header, "<u4", blocks, 4 * HEADER_WORDS)
    packed = base64.b64decode(text[header_length:], validate=True)
    if int(packed_sizes.sum()) != len(packed):
        raise ValueError("sizes")
    data, start = [], 0
    for number, size in enumerate(int(s) for s in packed_sizes):
        block = zlib.decompress(packed[start : start + size])
        if len(block) != (partial if partial and number + 1 == blocks else block_size):
            raise ValueError("sizes")
        data.append(block)
        start += size
    return b"".join(data)


def _array(path, element):
    name = element.get("Name")
    dtype = TYPES.get(element.get("type"))
    if dtype is None or element.get("format") != "binary":
        raise FileError(path, f"array {name}: not of a kind that this add-on reads")
    try:
        values = numpy.frombuffer(_decode(element.text or ""), dtype)
        components = int(element.get("NumberOfComponents", "1"))
        return values if components == 1 else values.reshape(-1, components)
    except (ValueError, zlib.error):
        raise FileError(path, f"array {name} {DAMAGED}") from None


def _named(path, parent):
    return {} if parent is None else {e.get("Name"): _array(path, e) for e in parent}


def _triangles(path, polys, point_count):
    arrays = _named(path, polys)
    if "connectivity" not in arrays or "offsets" not in arrays:
        raise FileError(path, "has no triangles")
    corners, offsets = arrays["connectivity"], arrays["offsets"]
    expected = numpy.arange(3, 3 * len(offsets) + 1, 3)
    if len(corners) != 3 * len(offsets) or not numpy.array_equal(offsets, expected):
        raise FileError(path, "has faces that are no triangles")
    if len(corners) and (corners.min() < 0 or corners.max() >= point_count):
        raise FileError(path, "has a triangle with a corner that does not exist")
    return corners.astype(numpy.int32).reshape(-1, 3)


def read_vtk(path):
    """A .vtu or .vtp file as a VtkFile; raises FileError."""
    try:
        root = ElementTree.parse(path).getroot()
    except FileNotFoundError:
        raise FileError(path, "no such file") from None
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror}") from None
    except ElementTree.ParseError:
        raise FileError(path, DAMAGED) from None
    kind = root.get("type")
    if root.tag != "VTKFile" or kind not in ("UnstructuredGrid", "PolyData"):
        raise FileError(path, "is no VTK file of particles or of a surface")
    if (
        root.get("compressor") != "vtkZLibDataCompressor"
        or root.get("header_type", "UInt32") != "UInt32"
        or root.get("byte_order") != "LittleEndian"
    ):
        raise FileError(path, "is packed in a way that this add-on does not read")
    piece = root.find(f"{kind}/Piece")
    points = None if piece is None else piece.find("Points/DataArray")
    if points is None:
        raise FileError(path, "has no points")
    points = _array(path, points).reshape(-1, 3)
    if str(len(points)) != piece.get("NumberOfPoints"):
        raise FileError(path, DAMAGED)
    fields = _named(path, piece.find("PointData"))
    for name, values in fields.items():
        if len(values) != len(points):
            raise FileError(path, f"array {name} {DAMAGED}")
    triangles = _triangles(path, piece.find("Polys"), len(points)) if kind == "PolyData" else None
    time = _named(path, root.find(f"{kind}/FieldData")).get("TimeValue")
    return VtkFile(points, fields, triangles, float(time[0]) if time is not None else None)
