"""Geometry nodes that turn vertices into spheres with the radius of their attribute `radius`."""

import bpy


def _add_geometry_sockets(tree):
    if hasattr(tree, "interface"):  # since Blender 4.0
        tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    else:
        tree.inputs.new("NodeSocketGeometry", "Geometry")
        tree.outputs.new("NodeSocketGeometry", "Geometry")


def _named(tree, name, kind):
    """The output of a node that reads an attribute."""
    node = tree.nodes.new("GeometryNodeInputNamedAttribute")
    node.data_type = kind
    node.inputs["Name"].default_value = name
    return next(o for o in node.outputs if o.enabled and o.name == "Attribute")


def show_as_spheres(obj, material):
    """Adds the modifier; the points keep all attributes, `velocity` for motion blur too."""
    tree = bpy.data.node_groups.new(f"{obj.name} spheres", "GeometryNodeTree")
    _add_geometry_sockets(tree)
    new, link = tree.nodes.new, tree.links.new
    start, end = new("NodeGroupInput"), new("NodeGroupOutput")
    points = new("GeometryNodeMeshToPoints")
    link(start.outputs[0], points.inputs["Mesh"])
    link(_named(tree, "radius", "FLOAT"), points.inputs["Radius"])
    paint = new("GeometryNodeSetMaterial")  # a cloud of points has one material only
    paint.inputs["Material"].default_value = material
    link(points.outputs[0], paint.inputs["Geometry"])
    link(paint.outputs[0], end.inputs[0])
    for column, node in enumerate(tree.nodes):
        node.location = (200 * column, 0)
    obj.modifiers.new("Spheres", "NODES").node_group = tree
