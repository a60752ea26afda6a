#!/usr/bin/env python3
"""Writes the meshes of the example scenes next to this script: python3 scenes/meshes/make_meshes.py

Plain Python 3; the same files every time. Lengths in metres, y up. Closed meshes face outwards, which
the script checks; the coast is an open sheet that faces up.
"""
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))


class Mesh:
    def __init__(self):
        self.vertices = []
        self.triangles = []

    def vertex(self, x, y, z):
        self.vertices.append((x, y, z))
        return len(self.vertices) - 1

    def quad(self, a, b, c, d):
        self.triangles += [(a, b, c), (a, c, d)]

    def volume(self):
        total = 0.0
        for a, b, c in self.triangles:
            (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (self.vertices[k] for k in (a, b, c))
            total += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
        return total / 6

    def open_edges(self):
        """Edges that are not used once in each direction."""
        used = {}
        for t in self.triangles:
            for k in range(3):
                edge = (t[k], t[(k + 1) % 3])
                used[edge] = used.get(edge, 0) + 1
        return sum(1 for (a, b), n in used.items() if n != 1 or used.get((b, a), 0) != 1)

    def turn_over(self):
        self.triangles = [(a, c, b) for a, b, c in self.triangles]

    def write(self, name, comment, closed=True):
        # vertices that are equal as written become one
        index, lines, place = {}, [], []
        for v in self.vertices:
            key = " ".join(f"{0.0 + round(c, 6):.6g}" for c in v)
            if key not in index:
                index[key] = len(index)
                lines.append("v " + key)
            place.append(index[key])
        triangles = [tuple(place[k] for k in t) for t in self.triangles]
        triangles = [t for t in triangles if len(set(t)) == 3]
        self.vertices = [tuple(float(c) for c in line.split()[1:]) for line in lines]
        self.triangles = triangles
        if closed:
            assert self.open_edges() == 0, f"{name}: {self.open_edges()} open edges"
            if self.volume() < 0:
                self.turn_over()
        with open(os.path.join(HERE, name), "w", newline="\n") as out:
            out.write(f"# {comment}; made by make_meshes.py\n")
            out.write("\n".join(lines) + "\n")
            for a, b, c in self.triangles:
                out.write(f"f {a + 1} {b + 1} {c + 1}\n")
        volume = f", volume {self.volume():.6g} m^3" if closed else ""
        print(f"{name}: {len(self.vertices)} vertices, {len(self.triangles)} triangles{volume}")


def smooth(t):
    t = min(1.0, max(0.0, t))
    return t * t * (3 - 2 * t)


def between(points, t):
    """Piecewise linear through (t, value) points."""
    for (t0, v0), (t1, v1) in zip(points, points[1:]):
        if t <= t1:
            return v0 + (v1 - v0) * max(0.0, (t - t0) / (t1 - t0))
    return points[-1][1]


# ---- the ship -------------------------------------------------------------------------------------

SHIP_LENGTH, SHIP_BEAM, SHIP_DEPTH = 1.6, 0.68, 0.30


def ship():
    """Hull along x, the bow at +x, the keel at y = 0; a loft of closed rings. The same ring carries
    the deck and the cabin: where there is none, the points of the cabin lie in the deck."""
    half = SHIP_LENGTH / 2

    def half_beam(x):  # at the deck
        t = (x + half) / SHIP_LENGTH
        if t < 0.5:
            return SHIP_BEAM / 2 * (0.8 + 0.2 * smooth(t / 0.4))
        return SHIP_BEAM / 2 * math.sqrt(max(0.0, 1 - ((t - 0.5) / 0.5) ** 2.4))

    def keel(x):  # rises at the bow and a little at the stern
        t = (x + half) / SHIP_LENGTH
        return 0.05 * (1 - smooth(t / 0.25)) + 0.16 * smooth((t - 0.72) / 0.28) ** 1.5

    def deck(x):  # the sheer
        t = (x + half) / SHIP_LENGTH
        return SHIP_DEPTH + 0.03 * (1 - smooth(t / 0.4)) + 0.09 * smooth((t - 0.5) / 0.5)

    # top of the superstructure above the deck, and its half width
    cabin = [(-0.560, 0), (-0.555, 0.09), (-0.36, 0.09), (-0.355, 0.18), (-0.195, 0.19), (-0.165, 0.09),
             (0.02, 0.08), (0.03, 0)]
    hold = [(0.20, 0), (0.21, 0.035), (0.44, 0.035), (0.45, 0)]
    xs = sorted({round(-half + SHIP_LENGTH * (1 - math.cos(math.pi * k / 28)) / 2, 4) for k in range(29)}
                | {x for x, _ in cabin} | {x for x, _ in hold})
    xs[-1] = half - 0.004  # the stem is blunt
    mesh, rings = Mesh(), []
    for x in xs:
        b, low, top = max(half_beam(x), 0.006), keel(x), deck(x)
        fullness = 0.34 + 0.5 * smooth((x - 0.1) / (half - 0.1))  # round amidships, sharp at the bow
        side = []
        for k in range(9):
            angle = math.pi / 2 * k / 8
            side.append((b * math.sin(angle) ** fullness, low + (top - low) * (1 - math.cos(angle))))
        if x <= 0.1:
            height, width = between(cabin, x), min(0.6 * b, 0.17)
        else:
            height, width = between(hold, x), min(0.6 * b, 0.17)
        right = side + [(width, top), (0.94 * width, top + height)]
        ring = [(x, y, z) for z, y in right] + [(x, y, -z) for z, y in reversed(right[1:])]
        rings.append([mesh.vertex(*p) for p in ring])
    n = len(rings[0])
    for a, b in zip(rings, rings[1:]):
        for k in range(n):
            mesh.quad(a[k], a[(k + 1) % n], b[(k + 1) % n], b[k])
    for ring, turned in ((rings[0], True), (rings[-1], False)):
        # across, from one side to the other
        for k in range(1, n // 2):
            a, b, c, d = ring[k], ring[k + 1], ring[n - k - 1], ring[n - k]
            mesh.quad(*((a, d, c, b) if turned else (a, b, c, d)))
        a, b, c = ring[0], ring[1], ring[n - 1]
        mesh.triangles.append((a, c, b) if turned else (a, b, c))
    mesh.write("ship.obj", "a ship: bow at +x, keel at y = 0")
    return mesh


def floats(mesh, density, water=1000.0):
    """Draught and metacentric height of an upright ship of even density, by slices of its volume."""
    volume = mesh.volume()

    def below(level):
        """Volume, moment of it in y, and the second moment of the waterplane about x, by columns."""
        v = my = i = area = 0.0
        for a, b, c in mesh.triangles:
            p, q, r = (mesh.vertices[k] for k in (a, b, c))
            # area of the triangle seen from above, signed; fine enough a mesh for its middle to stand for it
            up = ((q[2] - p[2]) * (r[0] - p[0]) - (q[0] - p[0]) * (r[2] - p[2])) / 2
            y = min(level, (p[1] + q[1] + r[1]) / 3)
            z = (p[2] + q[2] + r[2]) / 3
            v += up * y
            my += up * y * y / 2
            if (p[1] + q[1] + r[1]) / 3 < level:
                area -= up
                i -= up * z * z
        return v, my, i, area

    low, high = 0.0, 1.0
    while high - low > 1e-5:
        middle = (low + high) / 2
        if below(middle)[0] < volume * density / water:
            low = middle
        else:
            high = middle
    v, my, i, area = below(low)
    centre = below(10.0)[1] / volume
    return low, my / v + i / v - centre, area


# ---- the coast ------------------------------------------------------------------------------------

COAST_X, COAST_Z = (3.1, 7.2), (-0.2, 3.2)
COAST_LEVEL = 0.5  # of the sea


def coast_height(x, z):
    """A beach that starts below the floor, with a headland at low z and a mole that shelters it."""
    beach = -0.06 + 0.24 * (x - COAST_X[0]) + 0.012 * math.sin(2.1 * z + 1.3 * x)
    shore = 0.18 * smooth((x - 5.4 - 0.25 * math.sin(1.7 * z)) / 1.0)  # dunes behind
    shore += 0.04 * math.sin(5.1 * z + 2.2 * x) * smooth((x - 5.8) / 1.0)
    # the mole: out from the side wall, its head rounded, steep
    along = max(0.0, z - 1.25)
    across = x - (4.3 - 0.18 * smooth(z / 1.25))
    away = math.hypot(across, along)
    mole = 0.66 - 0.95 * max(0.0, away - 0.14)
    return max(beach + shore, mole)


def grid_of(span, count):
    return [span[0] + (span[1] - span[0]) * k / count for k in range(count + 1)]


def coast():
    xs, zs = grid_of(COAST_X, 45), grid_of(COAST_Z, 36)
    mesh = Mesh()
    at = [[mesh.vertex(x, coast_height(x, z), z) for z in zs] for x in xs]
    for i in range(len(xs) - 1):
        for j in range(len(zs) - 1):
            mesh.quad(at[i][j], at[i][j + 1], at[i + 1][j + 1], at[i + 1][j])
    mesh.write("coast.obj", "a coast with a mole, an open sheet that faces up", closed=False)

    # The sea over it, down to 1 cm above the sheet and nowhere below it: particles that begin under an
    # open sheet would fall.
    zs = sorted({z for _, _, z in mesh.vertices})  # as written
    pieces = [[(0.0, 0.0, za), (0.0, 0.0, zb), (COAST_X[0], 0.0, zb), (COAST_X[0], 0.0, za)]
              for za, zb in zip(zs, zs[1:])]
    for t in mesh.triangles:
        x, y, z = zip(*(mesh.vertices[k] for k in t))
        pieces += split_at(list(zip(x, [h + 0.01 for h in y], z)), 1, 0.0)
    sea, bottom = Mesh(), []  # bottom: triangles of points
    for piece in pieces:
        for axis, value, keep_below in ((2, 0.0, False), (2, 3.0, True), (0, 7.0, True), (1, COAST_LEVEL, True)):
            piece = clipped(piece, axis, value, keep_below)
        corners = [(round(x, 6), round(max(0.0, y), 6), round(z, 6)) for x, y, z in piece]
        corners = [c for k, c in enumerate(corners) if c != corners[k - 1]]
        for one, two in zip(corners[1:], corners[2:]):
            bottom.append((corners[0], one, two))
    inner = {(t[k], t[(k + 1) % 3]) for t in bottom for k in range(3)}
    raised = lambda p: (p[0], COAST_LEVEL, p[2])
    for t in bottom:
        low, high = [sea.vertex(*p) for p in t], [sea.vertex(*raised(p)) for p in t]
        sea.triangles += [tuple(low[::-1]), tuple(high)]
        for k in range(3):
            if (t[(k + 1) % 3], t[k]) not in inner:  # on the outline
                sea.quad(low[k], low[(k + 1) % 3], high[(k + 1) % 3], high[k])
    sea.write("coast_sea.obj", "the sea over coast.obj, level at y = 0.5")


def clipped(polygon, axis, value, keep_below):
    """What of a convex polygon lies on one side of a plane across an axis."""
    sign = 1 if keep_below else -1
    kept = []
    for k, p in enumerate(polygon):
        last = polygon[k - 1]
        d0, d1 = sign * (last[axis] - value), sign * (p[axis] - value)
        if d0 * d1 < 0:
            # from the same end whichever way the edge is walked, so that neighbours get equal points
            (a, da), (b, db) = sorted(((last, d0), (p, d1)))
            t = da / (da - db)
            cut = [u + t * (v - u) for u, v in zip(a, b)]
            cut[axis] = value
            kept.append(tuple(cut))
        if d1 <= 0:
            kept.append(p)
    return kept


def split_at(polygon, axis, value):
    return [part for part in (clipped(polygon, axis, value, side) for side in (True, False)) if len(part) > 2]


# ---- surfaces of revolution -----------------------------------------------------------------------


def revolve(profile, count, name, comment):
    """A closed surface from a line of (radius, y) points that starts and ends on the axis."""
    mesh = Mesh()
    rings = []
    for r, y in profile:
        if r == 0:
            rings.append([mesh.vertex(0, y, 0)] * count)
        else:
            rings.append([mesh.vertex(r * math.cos(2 * math.pi * k / count), y,
                                      r * math.sin(2 * math.pi * k / count)) for k in range(count)])
    for a, b in zip(rings, rings[1:]):
        for k in range(count):
            l = (k + 1) % count
            if a[k] != a[l]:
                mesh.triangles.append((a[k], b[l], a[l]) if b[k] != b[l] else (a[k], b[k], a[l]))
            if b[k] != b[l]:
                mesh.triangles.append((a[k], b[k], b[l]))
    mesh.write(name, comment)
    return mesh


# the inside of the bottle, from its bottom up
BOTTLE_BODY, BOTTLE_NECK, BOTTLE_WALL = 0.042, 0.017, 0.006
BOTTLE_FLOOR, BOTTLE_SHOULDER, BOTTLE_COLLAR, BOTTLE_HEIGHT = 0.008, 0.150, 0.205, 0.270


def bottle_radius(y):
    return BOTTLE_BODY + (BOTTLE_NECK - BOTTLE_BODY) * smooth((y - BOTTLE_SHOULDER) / (BOTTLE_COLLAR - BOTTLE_SHOULDER))


def bottle():
    count = 40
    ys = ([BOTTLE_FLOOR] + grid_of((BOTTLE_FLOOR + 0.006, BOTTLE_SHOULDER), 5)
          + grid_of((BOTTLE_SHOULDER, BOTTLE_COLLAR), 10)[1:] + grid_of((BOTTLE_COLLAR, BOTTLE_HEIGHT), 4)[1:])
    inner = [(bottle_radius(y) - (0.006 if k == 0 else 0), y) for k, y in enumerate(ys)]
    # outside, from the lip down: a little bead at the mouth
    outer = [(r + BOTTLE_WALL, y) for r, y in inner[2:]]
    outer = outer[:-2] + [(outer[-1][0], BOTTLE_HEIGHT - 0.022), (outer[-1][0] + 0.003, BOTTLE_HEIGHT - 0.018),
                          (outer[-1][0] + 0.003, BOTTLE_HEIGHT - 0.002), (outer[-1][0] + 0.001, BOTTLE_HEIGHT)]
    profile = ([(0, BOTTLE_FLOOR)] + inner + outer[::-1]
               + [(BOTTLE_BODY + BOTTLE_WALL, 0.006), (BOTTLE_BODY + BOTTLE_WALL - 0.006, 0), (0, 0)])
    revolve(profile, count, "bottle.obj", "a bottle with an open neck, its bottom at y = 0")
    # what is in it, a hair off the walls
    gap, level = 0.0005, 0.130
    ys = [BOTTLE_FLOOR + gap] + grid_of((BOTTLE_FLOOR + 0.006, level), 5)
    wine = [(bottle_radius(y) - gap - (0.006 if k == 0 else 0), y) for k, y in enumerate(ys)]
    revolve([(0, ys[0])] + wine + [(0, level)], count, "bottle_wine.obj", "what is in bottle.obj")


def glass():
    """A tumbler, a little wider at the top."""
    floor, height, wall, low, high = 0.010, 0.100, 0.006, 0.046, 0.054
    inside = lambda y: low + (high - low) * (y - floor) / (height - floor)
    inner = [(0, floor), (inside(floor) - 0.004, floor)] + [(inside(y), y) for y in grid_of((floor + 0.004, height), 4)]
    outer = [(inside(y) + wall, y) for y in grid_of((floor + 0.004, height), 4)]
    profile = inner + outer[::-1] + [(inside(floor) + wall - 0.003, 0), (0, 0)]
    revolve(profile, 40, "glass.obj", "a tumbler, its bottom at y = 0")


# ---- the water wheel ------------------------------------------------------------------------------


def water_wheel():
    """Twelve paddles between two discs, along z around the origin: a stack disc, gear, disc along z.
    The paddles are as thick as a wall must be, and flat."""
    paddles, hub, rim, thick, half, disc = 12, 0.27, 0.5, 0.036, 0.16, 0.03
    arc = 3  # pieces of an arc between two paddles
    mesh = Mesh()
    inner_rim = half - disc
    outline, pocket_at = [], []  # of the gear; where the pockets' points are in it
    for p in range(paddles):
        middle = 2 * math.pi * p / paddles
        after = 2 * math.pi / paddles + middle
        at_hub, at_rim = math.asin(thick / 2 / hub), math.asin(thick / 2 / rim)
        first = len(outline)
        outline += [(rim, middle - at_rim), (rim, middle + at_rim)]
        outline += [(hub, middle + at_hub + (after - middle - 2 * at_hub) * k / arc) for k in range(arc + 1)]
        pocket_at.append(first + 1)
    n = len(outline)
    circle = []  # of the discs: corners of the paddles and points between them
    for p in range(paddles):
        middle = 2 * math.pi * p / paddles
        after = 2 * math.pi / paddles + middle
        at_rim = math.asin(thick / 2 / rim)
        circle += [(rim, middle - at_rim)]
        circle += [(rim, middle + at_rim + (after - middle - 2 * at_rim) * k / arc) for k in range(arc)]
    m = len(circle)

    def put(points, z):
        return [mesh.vertex(r * math.cos(a), r * math.sin(a), z) for r, a in points]

    low, high = put(outline, -inner_rim), put(outline, inner_rim)
    for k in range(n):  # the gear's walls; at the tips too
        mesh.quad(low[k], low[(k + 1) % n], high[(k + 1) % n], high[k])
    for sign in (-1, 1):
        near, far = put(circle, sign * inner_rim), put(circle, sign * half)
        gear = low if sign < 0 else high
        centre = mesh.vertex(0, 0, sign * half)
        for k in range(m):
            a, b = (k, (k + 1) % m) if sign > 0 else ((k + 1) % m, k)
            mesh.quad(near[a], near[b], far[b], far[a])
            mesh.triangles.append((centre, far[a], far[b]))
        for p in range(paddles):  # the pockets: from the arc of the hub to that of the rim
            g = [gear[pocket_at[p] + 1 + k] for k in range(arc + 1)]
            c = [near[(p * (arc + 1) + 1 + k) % m] for k in range(arc + 1)]
            for k in range(arc):
                quad = (g[k], c[k], c[k + 1], g[k + 1])
                mesh.quad(*(quad[::-1] if sign > 0 else quad))
    mesh.write("water_wheel.obj", "a water wheel about the z axis")


if __name__ == "__main__":
    boat = ship()
    for density in (300, 350, 400):
        draught, metacentre, plane = floats(boat, density)
        print(f"  of {density} kg/m^3: {density * boat.volume():.0f} kg, draught {draught:.3f} m,"
              f" metacentre {metacentre:.3f} m above the centre of mass, waterplane {plane:.3f} m^2")
    coast()
    bottle()
    glass()
    water_wheel()
