"""Geometry nodes that turn vertices into spheres with the radius of their attribute `radius`."""

import bpy


def _add_geometry_sockets(tree):
    if hasattr(tree, "interface"):  # since Blender 4.0
        tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    else:
        tree.inputs.new("NodeSocketGeometry", "Geometry")
        tree.outputs.new("NodeSocketGeometry", "Geometry")


def show_as_spheres(obj, material):
    """Adds the modifier; the points keep all attributes, `velocity` for motion blur too."""
    tree = bpy.data.node_groups.new(f"{obj.name} spheres", "GeometryNodeTree")
    _add_geometry_sockets(tree)
    new, link = tree.nodes.new, tree.links.new
    start, end = new("NodeGroupInput"), new("NodeGroupOutput")
    points = new("GeometryNodeMeshToPoints")
    radius = new("GeometryNodeInputNamedAttribute")
    radius.data_type = "FLOAT"
    radius.inputs["Name"].default_value = "radius"
    paint = new("GeometryNodeSetMaterial")
    paint.inputs["Material"].default_value = material
    value = next(o for o in radius.outputs if o.enabled and o.name == "Attribute")
    link(start.outputs[0], points.inputs["Mesh"])
    link(value, points.inputs["Radius"])
    link(points.outputs[0], paint.inputs["Geometry"])
    link(paint.outputs[0], end.inputs[0])
    for column, node in enumerate((start, radius, points, paint, end)):
        node.location = (200 * column, 0)
    obj.modifiers.new("Spheres", "NODES").node_group = tree
