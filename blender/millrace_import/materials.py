"""Materials for Cycles; in EEVEE they are plainer."""

import math

import bpy

WATER_IOR = 1.333
# No colour passes better: what is far away in the water is dark, not glowing blue.
CLEAREST = 0.8


def linear(color):
    """From the colours of scenes, which are sRGB, to those of shaders."""

    def one(c):
        return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4

    return tuple(one(min(max(float(c), 0.0), 1.0)) for c in color)


def socket(node, *names):
    """The first input that this version of Blender has; Blender 4.0 renamed some."""
    return next((node.inputs[name] for name in names if name in node.inputs), None)


def _set(node, value, *names):
    found = socket(node, *names)
    if found is not None:
        found.default_value = value


def _empty(name):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    return material, tree, output


def _principled(tree, color, roughness):
    node = tree.nodes.new("ShaderNodeBsdfPrincipled")
    _set(node, (*color, 1), "Base Color")
    _set(node, roughness, "Roughness")
    return node


def _mix(tree, factor, first, second):
    """Of two shaders; the factor is an output or a number."""
    mix = tree.nodes.new("ShaderNodeMixShader")
    if isinstance(factor, (int, float)):
        mix.inputs[0].default_value = factor
    else:
        tree.links.new(factor, mix.inputs[0])
    tree.links.new(first, mix.inputs[1])
    tree.links.new(second, mix.inputs[2])
    return mix.outputs[0]


def absorption(color, clarity):
    """Beer and Lambert: white light has this colour after `clarity` [units of length].

    exp(-s d) = color gives s = -ln(color) / d for red, green and blue. Blender's node wants
    s = density (1 - c): the density is the largest of the three, c what is left.
    """
    rates = [-math.log(min(max(c, 0.02), CLEAREST)) / clarity for c in color]
    density = max(rates)
    return [1 - rate / density for rate in rates], density


def water(name, color, clarity):
    """Clear and refracting; the depth colours it. Sunlight goes straight through to the ground."""
    material, tree, output = _empty(name)
    surface = tree.nodes.new("ShaderNodeBsdfGlass")
    surface.inputs["Roughness"].default_value = 0.03
    surface.inputs["IOR"].default_value = WATER_IOR
    # Without caustics a path tracer leaves the ground under glass black: shadow rays pass.
    through = tree.nodes.new("ShaderNodeBsdfTransparent")
    through.inputs["Color"].default_value = (0.92, 0.95, 0.97, 1)
    path = tree.nodes.new("ShaderNodeLightPath")
    both = tree.nodes.new("ShaderNodeMath")  # light from the sky reaches it too
    both.operation = "MAXIMUM"
    tree.links.new(path.outputs["Is Shadow Ray"], both.inputs[0])
    tree.links.new(path.outputs["Is Diffuse Ray"], both.inputs[1])
    shader = _mix(tree, both.outputs[0], surface.outputs[0], through.outputs[0])
    tree.links.new(shader, output.inputs["Surface"])
    inner = tree.nodes.new("ShaderNodeVolumeAbsorption")
    rest, density = absorption(color, clarity)
    inner.inputs["Color"].default_value = (*rest, 1)
    inner.inputs["Density"].default_value = density
    tree.links.new(inner.outputs[0], output.inputs["Volume"])
    material.diffuse_color = (*linear(color), 1)
    return material


def foam(name):
    """White and soft: it scatters light and lets some of it through."""
    material, tree, output = _empty(name)
    diffuse = tree.nodes.new("ShaderNodeBsdfDiffuse")
    diffuse.inputs["Color"].default_value = (0.9, 0.93, 0.95, 1)
    soft = tree.nodes.new("ShaderNodeBsdfTranslucent")
    soft.inputs["Color"].default_value = (0.9, 0.93, 0.95, 1)
    body = _mix(tree, 0.4, diffuse.outputs[0], soft.outputs[0])
    clear = tree.nodes.new("ShaderNodeBsdfTransparent")
    # the rim of a drop or bubble is thinner than its middle
    facing = tree.nodes.new("ShaderNodeLayerWeight")
    facing.inputs["Blend"].default_value = 0.35
    shader = _mix(tree, facing.outputs["Facing"], body, clear.outputs[0])
    tree.links.new(shader, output.inputs["Surface"])
    material.diffuse_color = (0.95, 0.97, 1, 1)
    return material


def solid(name, color, roughness=0.55):
    material, tree, output = _empty(name)
    node = _principled(tree, linear(color), roughness)
    tree.links.new(node.outputs[0], output.inputs["Surface"])
    material.diffuse_color = (*linear(color), 1)
    return material


def _color_by_fluid(tree, colors):
    """The colour that the attribute `fluid`, 0 where there is none, chooses."""
    number = tree.nodes.new("ShaderNodeAttribute")
    number.attribute_name = "fluid"
    chosen = tree.nodes.new("ShaderNodeRGB").outputs[0]
    chosen.default_value = (*linear(colors[0]), 1)
    for k, color in enumerate(colors[1:], 1):
        same, mix = tree.nodes.new("ShaderNodeMath"), tree.nodes.new("ShaderNodeMixRGB")
        same.operation = "COMPARE"
        same.inputs[1].default_value, same.inputs[2].default_value = k, 0.5
        tree.links.new(number.outputs["Fac"], same.inputs[0])
        tree.links.new(same.outputs[0], mix.inputs["Fac"])
        tree.links.new(chosen, mix.inputs["Color1"])
        mix.inputs["Color2"].default_value = (*linear(color), 1)
        chosen = mix.outputs["Color"]
    return chosen


def particles(name, colors):
    """Of all fluids, faster particles lighter: what is there where no surface was made."""
    material, tree, output = _empty(name)
    node = _principled(tree, linear(colors[0]), 0.3)
    speed = tree.nodes.new("ShaderNodeAttribute")
    speed.attribute_name = "velocity"
    length, part = tree.nodes.new("ShaderNodeVectorMath"), tree.nodes.new("ShaderNodeMath")
    length.operation, part.operation, part.use_clamp = "LENGTH", "MULTIPLY", True
    part.inputs[1].default_value = 0.25  # white at 4 m/s
    white = tree.nodes.new("ShaderNodeMixRGB")
    white.inputs["Color2"].default_value = (0.85, 0.93, 0.97, 1)
    tree.links.new(speed.outputs["Vector"], length.inputs[0])
    tree.links.new(length.outputs["Value"], part.inputs[0])
    tree.links.new(part.outputs[0], white.inputs["Fac"])
    tree.links.new(_color_by_fluid(tree, colors), white.inputs["Color1"])
    tree.links.new(white.outputs["Color"], socket(node, "Base Color"))
    tree.links.new(node.outputs[0], output.inputs["Surface"])
    material.diffuse_color = (*linear(colors[0]), 1)
    return material


def glass(name):
    """Walls of tanks: clear panes with a veil of sky where one looks along them.

    The veil is a light instead of a mirror: nothing of it is left to chance, so it has no noise.
    """
    material, tree, output = _empty(name)
    clear = tree.nodes.new("ShaderNodeBsdfTransparent")
    clear.inputs["Color"].default_value = (0.97, 0.985, 0.98, 1)
    veil = tree.nodes.new("ShaderNodeEmission")
    veil.inputs["Color"].default_value = (0.62, 0.72, 0.8, 1)
    veil.inputs["Strength"].default_value = 0.8
    weight = tree.nodes.new("ShaderNodeLayerWeight")
    weight.inputs["Blend"].default_value = 0.1
    # the bottom of a tank has none
    geometry = tree.nodes.new("ShaderNodeNewGeometry")
    parts = tree.nodes.new("ShaderNodeSeparateXYZ")
    steep, seen = tree.nodes.new("ShaderNodeMath"), tree.nodes.new("ShaderNodeMath")
    steep.operation, seen.operation = "COMPARE", "MULTIPLY"
    steep.inputs[1].default_value, steep.inputs[2].default_value = 0.0, 0.7
    tree.links.new(geometry.outputs["Normal"], parts.inputs[0])
    tree.links.new(parts.outputs["Z"], steep.inputs[0])
    tree.links.new(weight.outputs["Fresnel"], seen.inputs[0])
    tree.links.new(steep.outputs[0], seen.inputs[1])
    shader = _mix(tree, seen.outputs[0], clear.outputs[0], veil.outputs[0])
    tree.links.new(shader, output.inputs["Surface"])
    material.diffuse_color = (0.8, 0.9, 0.95, 0.15)
    return material
