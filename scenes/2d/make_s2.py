#!/usr/bin/env python3
"""Writes paddle_steamer.json and pump.json, the same every time: python3 scenes/2d/make_s2.py

Both are scenes of S2 IX B: fluid, contacts, joints and a motor in one solve."""
import json
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))
WOOD, DARK, IRON = [0.8, 0.55, 0.3], [0.35, 0.25, 0.2], [0.45, 0.47, 0.5]
RED, WHITE, STONE = [0.75, 0.2, 0.15], [0.9, 0.88, 0.82], [0.6, 0.6, 0.6]


def tidy(value):
    """Numbers of the file: to a tenth of a millimetre, but for the time step."""
    if isinstance(value, float):
        value = round(value, 4) if abs(value) > 0.01 else value
        return int(value) if value == int(value) else value
    if isinstance(value, (list, tuple)):
        return [tidy(v) for v in value]
    return {k: tidy(v) for k, v in value.items()} if isinstance(value, dict) else value


def write(name, purpose, scene):
    """Every entry of a list has its own line."""
    lines = []
    for key, value in scene.items():
        text = json.dumps(tidy(value))
        if isinstance(value, list) and value and isinstance(value[0], dict):
            text = "[\n" + ",\n".join("    " + json.dumps(tidy(v)) for v in value) + "\n  ]"
        lines.append(f"  {json.dumps(key)}: {text}")
    with open(os.path.join(HERE, name + ".json"), "w", newline="\n") as out:
        out.write(f"// {purpose}\n// Made by make_s2.py.\n{{\n" + ",\n".join(lines) + "\n}\n")


def header(name, spacing, end):
    return {"millrace": 1, "name": name, "dimension": 2, "engine": "constraints", "spacing": spacing, "end": end}


def footer(probes):
    return {
        "time_step": {"mode": "fixed", "dt": 1 / 120},
        "output": {"fps": 30},
        "probes": probes,
    }


def box(name, size, place, density, color, **more):
    return {"name": name, "box": {"size": size}, "position": place, "density": density, "color": color, **more}


def joint(kind, a, b, anchor, **more):
    return {"type": kind, "bodies": [a, b], "anchor": anchor, **more}


def paddle_steamer():
    x0, y0 = 6.6, 9.0  # amidships, at the keel
    bodies, joints = [], []

    def add(body, *held):
        bodies.append(body)
        joints.extend(held)

    def at(x, y):
        return [x0 + x, y0 + y]

    add({"name": "hull", "position": at(0, 0), "density": 200, "color": RED,
         "polygon": {"points": [[-4.2, 0], [4, 0], [4.6, 0.5], [5, 1.4], [-4.8, 1.4], [-4.8, 0.5]]}})
    add(box("cabin", [2.2, 0.7], at(0, 1.75), 200, WHITE), joint("weld", "hull", "cabin", at(0, 1.4)))
    add(box("wheelhouse", [0.6, 0.6], at(0, 2.4), 200, WOOD), joint("weld", "cabin", "wheelhouse", at(0, 2.1)))

    # Two wheels. Ropes that are never tight, from the axle to every paddle, let the paddles pass the hull.
    for wheel, x in (("aft", -2.7), ("fore", 2.7)):
        hub, axle = wheel + "_hub", at(x, 0.9)
        motor = {"motor": {"speed": -2.5, "max_torque": 15000}} if wheel == "aft" else {}
        add({"name": hub, "circle": {"radius": 0.5}, "position": axle, "density": 300, "color": DARK},
            joint("hinge", "hull", hub, axle, **motor))
        for k in range(6):
            angle = math.radians(60 * k + 15)
            c, s = math.cos(angle), math.sin(angle)
            name = f"{wheel}_paddle_{k}"
            add(box(name, [1.0, 0.26], [axle[0] + 0.95 * c, axle[1] + 0.95 * s], 300, WOOD,
                    rotation={"angle": 60.0 * k + 15}),
                joint("weld", hub, name, [axle[0] + 0.5 * c, axle[1] + 0.5 * s]),
                joint("distance", "hull", name, axle, anchor_b=[axle[0] + 0.95 * c, axle[1] + 0.95 * s],
                      limits=[0.3, 1.6]))
    # The motor turns the wheel aft; two coupling rods at right angles take the other one along.
    for dx, dy in ((0.35, 0), (0, 0.35)):
        joints.append(joint("distance", "aft_hub", "fore_hub", at(-2.7 + dx, 0.9 + dy), anchor_b=at(2.7 + dx, 0.9 + dy)))

    def chain(kind, name, base, x, y, sizes, density, color):
        """Pieces one on the other, or one below the other where their heights are negative."""
        below = base
        for k, (width, height) in enumerate(sizes):
            piece = f"{name}_{k}"
            add(box(piece, [width, abs(height)], at(x, y + height / 2), density, color),
                joint(kind, below, piece, at(x, y)))
            below, y = piece, y + height
        return below, y

    chain("weld", "funnel_aft", "cabin", -0.75, 2.1, [(0.36, 0.7)] * 3, 150, DARK)
    chain("weld", "funnel_fore", "cabin", 0.75, 2.1, [(0.36, 0.7)] * 3, 150, DARK)
    # The mast stands amidships: in 2D it is a wall, and would keep water on deck.
    top, y = chain("weld", "mast", "wheelhouse", 0, 2.7, [(0.22, 0.6)] * 3, 200, WOOD)
    add(box("flag", [0.6, 0.3], at(-0.3, y - 0.15), 100, RED), joint("hinge", top, "flag", at(0, y - 0.15)))
    link, y = chain("hinge", "chain", "hull", 4.9, 1.3, [(0.2, -0.3)] * 5, 1200, IRON)
    add(box("anchor", [0.4, 0.3], at(4.9, y - 0.15), 1500, IRON), joint("hinge", link, "anchor", at(4.9, y)))
    add(box("rudder", [0.3, 1.2], at(-5.05, 0.5), 500, DARK),
        joint("weld", "hull", "rudder", at(-4.95, 1.0)))
    add(box("lifeboat", [0.7, 0.4], at(-4.45, 2.0), 200, WHITE),
        joint("weld", "hull", "lifeboat", at(-4.45, 1.6)))
    assert len(bodies) == 35

    write("paddle_steamer", "A dam breaks under a troubled paddle steamer of 35 jointed bodies and a motor (S2 Fig. 6).", {
        **header("paddle_steamer", 0.1, 20.0),
        "domain": {"min": [-2, -2], "max": [42, 60]},
        "fluids": [{"name": "water", "fill": [{"box": {"min": [0, 0], "max": [14.1, 9]}}]}],
        "boundaries": [{"name": "tank", "box": {"min": [0, 0], "max": [40, 20]}, "inside": True, "open": ["+y"]}],
        "bodies": bodies,
        "joints": joints,
        **footer([{"name": "hull", "type": "body", "body": "hull"}, {"name": "front", "type": "front"},
                  {"name": "energy", "type": "energy"}]),
    })


def pump():
    radius, rod = 0.6, 1.8            # of the crank and the connecting rod: a stroke of 1.2 m
    low, high = 1.0, 2.6              # of the bore
    middle = (low + high) / 2
    wall, end = 5.3, 6.7              # of the chamber between the valves
    axis, half = 6.0, 0.25            # of the valves, and half the width of their ports
    slit = 0.01                       # round the piston and the valves: no particle fits
    sunk = 0.03                       # how deep a closed valve is in its port
    face = 8.0                        # of the piston, where it is out
    pin = face + 1.2                  # of the crosshead
    crank = pin - radius + rod
    level, crest = 6.3, 7.2           # of the basin and of the weir

    def valve(name, y):
        return box(name, [2 * (half - slit), 0.2], [axis, y - sunk + 0.1], 3000, RED, friction=0)

    def guide(name, body, lift, force):
        """A valve slides up by the water, and down by its weight and a spring of this force.
        Its anchor is at the centre of mass: limits hold badly where it is far away."""
        return joint("slider", name, "world", body["position"], axis=[0, 1], limits=[0, sunk + lift],
                     motor={"speed": -2, "max_force": force})

    bodies = [
        {"name": "flywheel", "circle": {"radius": 0.8}, "position": [crank, middle], "density": 2000, "color": IRON, "friction": 0},
        box("rod", [rod + 0.16, 0.16], [pin + rod / 2, middle], 2000, WOOD, friction=0),
        box("crosshead", [1.0, 0.2], [pin - 0.4, middle], 2000, DARK, friction=0),
        box("piston", [0.3, high - low - 2 * slit], [face + 0.15, middle], 2000, RED, friction=0),
        valve("inlet", low),
        valve("outlet", high + 0.3),
    ]
    joints = [
        joint("hinge", "flywheel", "world", [crank, middle], motor={"speed": 2 * math.pi / 4.8, "max_torque": 300000}),
        joint("hinge", "flywheel", "rod", [crank + radius, middle]),
        joint("hinge", "rod", "crosshead", [pin, middle]),
        joint("weld", "crosshead", "piston", [face + 0.3, middle]),
        joint("slider", "piston", "world", bodies[3]["position"], axis=[1, 0]),
        guide("inlet", bodies[4], 0.2, 4000),
        guide("outlet", bodies[5], 0.15, 50000),
    ]
    roof = high + 0.3
    floor = [[1.7, 8.7], [2, 8.7], [2, 0], [end, 0], [end, 0.7], [axis + half, 0.7], [axis + half, low], [8.5, low],
             [8.5, -0.3], [1.7, -0.3]]
    weir = [[5, 0.7], [axis - half, 0.7], [axis - half, low], [wall, low], [wall, high], [axis - half, high],
            [axis - half, roof], [wall, roof], [wall, crest], [5, crest - 0.1]]
    riser = [[axis + half, high], [8.5, high], [8.5, roof], [end + 0.3, roof], [end + 0.3, 3.9], [6.5, 4.2], [6.5, 8.7],
             [6.2, 8.7], [6.2, 4.1], [end, 3.7], [end, roof], [axis + half, roof]]
    fills = [[[2, 0], [5, level]], [[5, 0], [end, 0.7]], [[axis - half, 0.7], [axis + half, 0.9]],
             [[wall, low], [face, high]], [[axis - half, high], [axis + half, roof - 0.1]], [[wall, roof], [end, 3.7]],
             [[wall, 3.7], [6.2, crest]]]
    write("pump", "A piston pump lifts water through two valves, over a weir and back into its basin (S2 Fig. 7).", {
        **header("pump", 0.05, 24.0),
        "domain": {"min": [0, -1], "max": [13, 14]},
        "fluids": [{"name": "water", "fill": [{"box": {"min": a, "max": b}} for a, b in fills]}],
        "boundaries": [{"name": name, "polygon": {"points": points}, "friction": 0}
                       for name, points in (("basin", floor), ("weir", weir), ("riser", riser))],
        "bodies": bodies,
        "joints": joints,
        **footer([{"name": "piston", "type": "body", "body": "piston"}, {"name": "inlet", "type": "body", "body": "inlet"},
                  {"name": "outlet", "type": "body", "body": "outlet"}, {"name": "basin", "type": "height", "at": [2]}]),
    })


paddle_steamer()
pump()
