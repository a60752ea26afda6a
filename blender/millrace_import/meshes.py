"""Fills meshes of Blender from arrays."""

import bpy
import numpy

HARD_ANGLE = numpy.radians(40)


def set_attribute(mesh, name, values):
    """A number or a vector of three at every vertex."""
    is_vector, is_integer = values.ndim == 2, values.dtype.kind in "iu"
    kind = "FLOAT_VECTOR" if is_vector else "INT" if is_integer else "FLOAT"
    found = mesh.attributes.get(name)
    if found is not None:
        mesh.attributes.remove(found)
    attribute = mesh.attributes.new(name, kind, "POINT")
    data = values.astype(numpy.int32 if kind == "INT" else numpy.float32).ravel()
    if len(data):
        attribute.data.foreach_set("vector" if is_vector else "value", data)


def fill(mesh, vertices, triangles=None, attributes=None, material_indices=None):
    """Replaces all that is in the mesh; without triangles it is a cloud of vertices."""
    mesh.clear_geometry()
    mesh.vertices.add(len(vertices))
    if len(vertices):
        data = numpy.ascontiguousarray(vertices, numpy.float32).ravel()
        mesh.vertices.foreach_set("co", data)
    if triangles is not None and len(triangles):
        count = len(triangles)
        mesh.loops.add(3 * count)
        mesh.loops.foreach_set("vertex_index", numpy.ascontiguousarray(triangles, "i4").ravel())
        mesh.polygons.add(count)
        mesh.polygons.foreach_set("loop_start", numpy.arange(0, 3 * count, 3, dtype="i4"))
        if bpy.app.version < (3, 6):  # later it follows from loop_start
            mesh.polygons.foreach_set("loop_total", numpy.full(count, 3, "i4"))
        mesh.polygons.foreach_set("use_smooth", numpy.ones(count, bool))
        if material_indices is not None:
            indices = numpy.ascontiguousarray(material_indices, "i4")
            mesh.polygons.foreach_set("material_index", indices)
    for name, values in (attributes or {}).items():
        set_attribute(mesh, name, values)
    mesh.update(calc_edges=True)


def welded(vertices, triangles):
    """With corners at the same place as one vertex; triangles that become a line are dropped."""
    if len(vertices) == 0:
        return vertices, triangles
    places, numbers = numpy.unique(vertices, axis=0, return_inverse=True)
    triangles = numbers.reshape(-1)[triangles]
    a, b, c = triangles.T
    return places, triangles[(a != b) & (b != c) & (c != a)]


def hard_edges(vertices, triangles):
    """(n, 2) corners of the edges that bend by more than HARD_ANGLE or have but one triangle."""
    corners = vertices[triangles].astype(float)
    normals = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= numpy.maximum(numpy.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    sides = numpy.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    owners = numpy.repeat(numpy.arange(len(triangles)), 3)
    order = numpy.lexsort((sides[:, 1], sides[:, 0]))
    sides, owners = sides[order], owners[order]
    edges, first, counts = numpy.unique(sides, axis=0, return_index=True, return_counts=True)
    other = numpy.minimum(first + 1, len(owners) - 1)
    cosines = (normals[owners[first]] * normals[owners[other]]).sum(axis=1)
    return edges[(counts != 2) | (cosines < numpy.cos(HARD_ANGLE))]


def mark_hard_edges(mesh, edges):
    """Smooth shading ends at them."""
    found = numpy.empty(2 * len(mesh.edges), "i4")
    mesh.edges.foreach_get("vertices", found)
    found = numpy.sort(found.reshape(-1, 2), axis=1)
    size = len(mesh.vertices)
    hard = numpy.isin(found[:, 0] * size + found[:, 1], edges[:, 0] * size + edges[:, 1])
    mesh.edges.foreach_set("use_edge_sharp", hard)
    if hasattr(mesh, "use_auto_smooth"):  # until Blender 4.0; later marked edges are enough
        mesh.use_auto_smooth = True
        mesh.auto_smooth_angle = numpy.pi
    mesh.update()
