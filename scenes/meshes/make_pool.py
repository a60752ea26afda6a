#!/usr/bin/env python3
"""Writes scenes/pool_of_boxes.json, the same every time: python3 scenes/meshes/make_pool.py"""
import os
import random

HERE = os.path.dirname(os.path.abspath(__file__))
COUNT, COLUMNS, GAP = 200, 6, 0.225
KINDS = [  # density [kg/m^3], how many of ten, colour
    (150, 2, (0.95, 0.85, 0.6)),
    (400, 3, (0.8, 0.55, 0.3)),
    (700, 2, (0.55, 0.35, 0.2)),
    (1300, 1, (0.5, 0.55, 0.6)),
    (2000, 2, (0.4, 0.4, 0.45)),
]

rng = random.Random(200)
bodies = []
for i in range(COUNT):
    layer, place = divmod(i, COLUMNS * COLUMNS)
    x = 0.75 + (place % COLUMNS - (COLUMNS - 1) / 2) * GAP + rng.uniform(-0.01, 0.01)
    z = 0.75 + (place // COLUMNS - (COLUMNS - 1) / 2) * GAP + rng.uniform(-0.01, 0.01)
    y = 0.75 + layer * GAP
    size = [round(rng.uniform(0.09, 0.13), 3) for _ in range(3)]  # the diagonal is shorter than the gap
    axis = [round(rng.uniform(-1, 1), 2) for _ in range(3)]
    density, _, color = rng.choice([kind for kind in KINDS for _ in range(kind[1])])
    bodies.append(
        f'    {{ "box": {{ "size": {size} }}, "density": {density}, "position": [{x:.3f}, {y:.3f}, {z:.3f}],'
        f' "rotation": {{ "axis": {axis}, "angle": {rng.randrange(360)} }}, "color": {list(color)} }}')

TEXT = """// Two hundred boxes of wood, plastic and stone fall into a pool: the light ones float, the heavy ones sink.
// Made by meshes/make_pool.py.
{
  "millrace": 1,
  "name": "pool_of_boxes",
  "spacing": 0.03,
  "end": 6,
  "domain": { "min": [-0.2, -0.2, -0.2], "max": [1.7, 4, 1.7] },
  "fluids": [
    {
      "name": "water",
      "fill": [ { "box": { "min": [0, 0, 0], "max": [1.5, 0.36, 1.5] } } ],
      "viscosity": { "method": "standard", "nu": 1e-3 }
    }
  ],
  "boundaries": [
    { "name": "pool", "box": { "min": [0, 0, 0], "max": [1.5, 2.4, 1.5] }, "inside": true, "open": ["+y"] }
  ],
  "bodies": [
BODIES
  ],
  "probes": [
    { "name": "energy", "type": "energy" },
    { "name": "level", "type": "height", "at": [0.75, 0.75] }
  ],
  "camera": { "position": [2.6, 2.3, 4.6], "target": [0.75, 0.6, 0.75], "fov": 34 }
}
"""

with open(os.path.join(HERE, "..", "pool_of_boxes.json"), "w", newline="\n") as out:
    out.write(TEXT.replace("BODIES", ",\n".join(bodies)))
