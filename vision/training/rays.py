"""Rays through a board and its checkers: what each meets first, how much of each lamp it sees. Numba's code, for training only.

All lengths in board widths, the board's plane z = 0, z upwards. Colours are linear BGR.
cylinders: (n, 5) float32: x, y, underside z, height, radius. boxes: (m, 6): x0, y0, z0, x1, y1, z1.
lamps: (k, 6): x, y, z, radius, share of the light, distance at which it gives that share.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float32]
FAR = np.float32(1e9)
NEAREST = np.float32(1e-5)
SKY_REACH = np.float32(0.2)
"""What stands farther off than this keeps nothing of the sky away."""
GROUND = -1
"""What a ray meets that meets neither checker nor box; boxes have numbers below it."""

_compiled: Any = numba.njit(fastmath=True, nogil=True, cache=False)


@_compiled
def _cylinder(  # type: ignore[no-untyped-def]
    cylinder, ox, oy, oz, dx, dy, dz
):
    """Where a ray enters an upright cylinder, and whether by its upper face; FAR where it does not."""
    low, high = cylinder[2], cylinder[2] + cylinder[3]
    if dz >= 0 and oz >= high:
        return FAR, False
    x, y = ox - cylinder[0], oy - cylinder[1]
    a = dx * dx + dy * dy
    b = x * dx + y * dy
    c = x * x + y * y - cylinder[4] * cylinder[4]
    if c > 0 and (b >= 0 or b * b < a * c):
        return FAR, False
    if dz != 0:
        t = ((high if dz < 0 else low) - oz) / dz
        if t > NEAREST:
            px, py = x + t * dx, y + t * dy
            if px * px + py * py <= cylinder[4] * cylinder[4]:
                return t, dz < 0
    if a > 0 and b * b >= a * c:
        t = (-b - np.sqrt(b * b - a * c)) / a
        z = oz + t * dz
        if t > NEAREST and low < z < high:
            return t, False
    return FAR, False


@_compiled
def _box(box, ox, oy, oz, dx, dy, dz):  # type: ignore[no-untyped-def]
    """Where a ray enters a box, and through which pair of faces (0 x, 1 y, 2 z)."""
    enter, leave, face = -FAR, FAR, 0
    for axis in range(3):
        o = ox if axis == 0 else oy if axis == 1 else oz
        d = dx if axis == 0 else dy if axis == 1 else dz
        if abs(d) < 1e-9:
            if o < box[axis] or o > box[axis + 3]:
                return FAR, 0
            continue
        one, other = (box[axis] - o) / d, (box[axis + 3] - o) / d
        if one > other:
            one, other = other, one
        if one > enter:
            enter, face = one, axis
        leave = min(leave, other)
    if enter > leave or enter < NEAREST:
        return FAR, 0
    return enter, face


@_compiled
def _blocked(cylinders, near, boxes, ox, oy, oz, dx, dy, dz, reach):  # type: ignore[no-untyped-def]
    """Whether a box, or one of the cylinders with these numbers, lies on the way within this distance."""
    for index in near:
        if index < 0:
            break
        t, _ = _cylinder(cylinders[index], ox, oy, oz, dx, dy, dz)
        if t < reach:
            return True
    for index in range(len(boxes)):
        if oz >= boxes[index, 5] and dz >= 0:
            continue
        if dz > 0:
            # Where it rises above the box: on the same side of it as where it starts, it passes by.
            up = (boxes[index, 5] - oz) / dz
            x, y = ox + up * dx, oy + up * dy
            if max(ox, x) < boxes[index, 0] or min(ox, x) > boxes[index, 3]:
                continue
            if max(oy, y) < boxes[index, 1] or min(oy, y) > boxes[index, 4]:
                continue
        t, _ = _box(boxes[index], ox, oy, oz, dx, dy, dz)
        if t < reach:
            return True
    return False


@_compiled
def _chance(state):  # type: ignore[no-untyped-def]
    """The next of a row of random numbers in 0-1, and its state: xorshift."""
    state ^= (state << np.uint32(13)) & np.uint32(0xFFFFFFFF)
    state ^= state >> np.uint32(17)
    state ^= (state << np.uint32(5)) & np.uint32(0xFFFFFFFF)
    return np.float32(state & np.uint32(0xFFFFFF)) / np.float32(0x1000000), state


@_compiled
def met(cylinders, boxes, camera, frames, x0, y0, step, height, width):  # type: ignore[no-untyped-def]
    """What the camera sees through each px of a picture laid on the plane whose first px is at (x0, y0).

    frames: (n + m, 4) int64, the rows and columns (from, to) in which each cylinder and then each box shows.
    Returns what is met (height, width) int32: a cylinder's number, GROUND, or GROUND - 1 - box; its place (height, width, 3);
    the face: 0, 1, 2 a box's or the ground's normal axis, 3 a cylinder's upper face, 4 its wall.
    """
    what = np.full((height, width), GROUND, np.int32)
    along = np.ones((height, width), np.float32)
    face = np.full((height, width), 2, np.int8)
    for solid in range(len(frames)):
        for row in range(frames[solid, 0], frames[solid, 1]):
            for column in range(frames[solid, 2], frames[solid, 3]):
                dx, dy, dz = x0 + column * step - camera[0], y0 + row * step - camera[1], -camera[2]
                if solid < len(cylinders):
                    t, upper = _cylinder(cylinders[solid], camera[0], camera[1], camera[2], dx, dy, dz)
                    if t < along[row, column]:
                        along[row, column], what[row, column] = t, solid
                        face[row, column] = 3 if upper else 4
                else:
                    box = solid - len(cylinders)
                    t, axis = _box(boxes[box], camera[0], camera[1], camera[2], dx, dy, dz)
                    if t < along[row, column]:
                        along[row, column], what[row, column], face[row, column] = t, GROUND - 1 - box, axis
    place = np.empty((height, width, 3), np.float32)
    for row in range(height):
        for column in range(width):
            t = along[row, column]
            place[row, column, 0] = camera[0] + t * (x0 + column * step - camera[0])
            place[row, column, 1] = camera[1] + t * (y0 + row * step - camera[1])
            place[row, column, 2] = camera[2] - t * camera[2]
    return what, place, face


@_compiled
def neighbours(cylinders, x0, y0, cell, rows, columns, reach):  # type: ignore[no-untyped-def]
    """(rows, columns, n) int16: the cylinders that a ray from each cell of a grid can meet within this reach, then -1."""
    out = np.full((rows, columns, len(cylinders) + 1), -1, np.int16)
    for row in range(rows):
        for column in range(columns):
            found = 0
            for index in range(len(cylinders)):
                x = abs(cylinders[index, 0] - (x0 + (column + 0.5) * cell)) - cell / 2
                y = abs(cylinders[index, 1] - (y0 + (row + 0.5) * cell)) - cell / 2
                if max(x, 0) ** 2 + max(y, 0) ** 2 < (reach + cylinders[index, 4]) ** 2:
                    out[row, column, found] = index
                    found += 1
    return out


@_compiled
def lit(cylinders, boxes, lamps, near, cell, x0, y0, place, normal, samples, around, seed):  # type: ignore[no-untyped-def]
    """How much of each lamp (..., k) and of the sky (..., one more) each place sees, for what is met there (height, width, 3).

    Lamps with the cosine of their slant. near, cell, x0, y0: what stands in the way, see `neighbours`. samples: rays to each
    lamp; around: rays to the sky, which walls within SKY_REACH keep off.
    """
    height, width = place.shape[0], place.shape[1]
    count = len(lamps)
    out = np.zeros((height, width, count + 1), np.float32)
    for row in range(height):
        for column in range(width):
            state = np.uint32((row * 73856093) ^ (column * 19349663) ^ seed) | np.uint32(1)
            for _ in range(3):
                _, state = _chance(state)
            nx, ny, nz = normal[row, column, 0], normal[row, column, 1], normal[row, column, 2]
            px = place[row, column, 0] + nx * np.float32(4e-4)
            py = place[row, column, 1] + ny * np.float32(4e-4)
            pz = place[row, column, 2] + nz * np.float32(4e-4)
            there = min(max(int((py - y0) / cell), 0), near.shape[0] - 1)
            here = min(max(int((px - x0) / cell), 0), near.shape[1] - 1)
            close = near[there, here]
            for lamp in range(count):
                total = np.float32(0)
                for _ in range(samples):
                    u, state = _chance(state)
                    v, state = _chance(state)
                    w, state = _chance(state)
                    lx = lamps[lamp, 0] + (2 * u - 1) * lamps[lamp, 3] - px
                    ly = lamps[lamp, 1] + (2 * v - 1) * lamps[lamp, 3] - py
                    lz = lamps[lamp, 2] + (2 * w - 1) * lamps[lamp, 3] * np.float32(0.3) - pz
                    distance = np.sqrt(lx * lx + ly * ly + lz * lz)
                    slant = (nx * lx + ny * ly + nz * lz) / distance
                    if slant > 0 and not _blocked(
                        cylinders, close, boxes, px, py, pz, lx / distance, ly / distance, lz / distance, distance
                    ):
                        fall = lamps[lamp, 5] / distance
                        total += slant * fall * fall
                out[row, column, lamp] = total / samples * lamps[lamp, 4]
            free = np.float32(0)
            for _ in range(around):
                u, state = _chance(state)
                v, state = _chance(state)
                angle, flat = np.float32(6.2831853) * u, np.sqrt(v)
                hx, hy, hz = flat * np.cos(angle), flat * np.sin(angle), np.sqrt(max(np.float32(0), 1 - v))
                # About the upright, then towards the surface's own normal: right where it lies flat, near enough else.
                sx, sy, sz = hx + nx, hy + ny, hz + nz
                long = np.sqrt(sx * sx + sy * sy + sz * sz)
                if long < 1e-4 or sz < 0:
                    continue
                if not _blocked(cylinders, close, boxes, px, py, pz, sx / long, sy / long, sz / long, SKY_REACH):
                    free += 1
            out[row, column, count] = free / max(around, 1)
    return out


@_compiled
def mirrored(place, normal, view, light, lamps, tints, sky, windows, rough):  # type: ignore[no-untyped-def]
    """(n, 3) light that reaches a camera from places (n, 3) if they mirrored all, and the share (n,) that a slant adds.

    Of the lamps that they see, as Blinn and Phong's lobe has it (a wide lamp widens it), and of sky and windows.
    light: as `lit` gives it.
    """
    count = len(lamps)
    out = np.empty((len(place), 3), np.float32)
    slant = np.empty(len(place), np.float32)
    sharp = np.empty(count, np.float32)
    for lamp in range(count):
        lobe = max(rough**2 + lamps[lamp, 3] / lamps[lamp, 5] * np.float32(0.5), 0.01)
        sharp[lamp] = min(2 / lobe**2, 4000.0)
    edge = np.float32(0.05) + rough
    for index in range(len(place)):
        nx, ny, nz = normal[index, 0], normal[index, 1], normal[index, 2]
        vx, vy, vz = view[index, 0], view[index, 1], view[index, 2]
        along = nx * vx + ny * vy + nz * vz
        away = 1 - min(max(along, np.float32(0)), np.float32(1))
        slant[index] = away * away * away * away * away * (1 - rough)
        blue, green, red = np.float32(0), np.float32(0), np.float32(0)
        for lamp in range(count):
            seen = light[index, lamp]
            if seen <= 0:
                continue
            lx, ly, lz = (
                lamps[lamp, 0] - place[index, 0],
                lamps[lamp, 1] - place[index, 1],
                lamps[lamp, 2] - place[index, 2],
            )
            distance = np.sqrt(lx * lx + ly * ly + lz * lz)
            hx, hy, hz = lx / distance + vx, ly / distance + vy, lz / distance + vz
            cosine = (nx * hx + ny * hy + nz * hz) / max(np.sqrt(hx * hx + hy * hy + hz * hz), np.float32(1e-6))
            if cosine <= 0:
                continue
            bright = min(cosine, np.float32(1)) ** sharp[lamp] * (sharp[lamp] + 2) / 8 * seen
            blue += bright * tints[lamp, 0]
            green += bright * tints[lamp, 1]
            red += bright * tints[lamp, 2]
        bx, by, bz = 2 * along * nx - vx, 2 * along * ny - vy, 2 * along * nz - vz
        above = min(max(bz, np.float32(0.05)), np.float32(1))
        shown = sky * (np.float32(0.25) + np.float32(0.75) * min(max(bz, np.float32(0)), np.float32(1)))
        if bz > 0.05:
            for pane in range(len(windows)):
                across = (windows[pane, 2] - abs(bx / above - windows[pane, 0])) / edge + np.float32(0.5)
                up = (windows[pane, 3] - abs(by / above - windows[pane, 1])) / edge + np.float32(0.5)
                across, up = min(max(across, np.float32(0)), np.float32(1)), min(max(up, np.float32(0)), np.float32(1))
                shown += windows[pane, 4] * sky * across * up / (1 + 3 * rough)
        shown *= np.float32(0.3) + np.float32(0.7) * light[index, count]
        out[index, 0] = blue + shown * tints[count, 0]
        out[index, 1] = green + shown * tints[count, 1]
        out[index, 2] = red + shown * tints[count, 2]
    return out, slant
