"""From the axes of a run to those of Blender, where z is up. Matrices act on column vectors."""

import numpy

# By the axis that is up in the run: with y up, (x, y, z) becomes (x, -z, y).
TURNS = {
    "+x": [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
    "-x": [[0, 0, 1], [0, 1, 0], [-1, 0, 0]],
    "+y": [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
    "-y": [[1, 0, 0], [0, 0, 1], [0, -1, 0]],
    "+z": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "-z": [[1, 0, 0], [0, -1, 0], [0, 0, -1]],
}


def turn_to_z_up(gravity):
    """The rotation for a run with this gravity; without gravity y is up."""
    up = [-float(g) for g in gravity] + [0.0] * (3 - len(gravity))
    axis = max(range(3), key=lambda k: abs(up[k]))
    if up[axis] == 0:
        return numpy.array(TURNS["+y"], float)
    return numpy.array(TURNS[("+" if up[axis] > 0 else "-") + "xyz"[axis]], float)


def turned(turn, vectors):
    """Places, velocities and the like, (n, 3) or (3,)."""
    return numpy.asarray(vectors) @ turn.T


def turned_quaternion(turn, rotation):
    """The same rotation (w, x, y, z) in the new axes: its axis turns along."""
    return (rotation[0], *turned(turn, rotation[1:]))
