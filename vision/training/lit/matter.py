"""What lit things are made of: colours, and Blender's materials for plastic, wood, leather, felt, stone, metal, glass."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

Rng = np.random.Generator
Colour = npt.NDArray[np.float64]
"""(3,) linear red, green, blue, 0-1."""

PAINTS = (
    # hue, saturation, value as a screen has them: ivory, white, black, red, burgundy, navy, green, tan, brown, orange
    (0.12, 0.25, 0.9),
    (0.1, 0.05, 0.95),
    (0.6, 0.1, 0.08),
    (0.0, 0.85, 0.7),
    (0.97, 0.7, 0.35),
    (0.62, 0.75, 0.3),
    (0.38, 0.6, 0.35),
    (0.09, 0.45, 0.7),
    (0.06, 0.6, 0.3),
    (0.07, 0.85, 0.9),
)
"""What boards and their pieces are mostly painted, printed or dyed with."""


def linear(hue: float, saturation: float, value: float) -> Colour:
    """A colour given as a screen has it."""
    red_green_blue = colorsys.hsv_to_rgb(hue % 1, min(max(saturation, 0), 1), min(max(value, 0), 1))
    return np.asarray(red_green_blue, np.float64) ** 2.2


def any_paint(rng: Rng) -> Colour:
    """A usual colour, somewhat off, or in one of four any colour at all."""
    if rng.random() < 0.25:
        return linear(rng.random(), rng.beta(1.2, 1.2), rng.beta(1.3, 1.1))
    hue, saturation, value = PAINTS[rng.integers(len(PAINTS))]
    return linear(hue + rng.normal(0, 0.02), saturation + rng.normal(0, 0.12), value + rng.normal(0, 0.1))


def lightness(colour: Colour) -> float:
    """0 black to 1 white, as an eye has it."""
    return float((colour @ np.array([0.21, 0.72, 0.07])) ** (1 / 2.4))


def told_apart(rng: Rng, ground: Colour, least: float) -> Colour:
    """An ink that differs from its ground in lightness by this much, or half as much in lightness and plainly in colour."""
    for _ in range(80):
        ink = any_paint(rng)
        lighter = abs(lightness(ink) - lightness(ground))
        other = float(np.abs(ink ** (1 / 2.2) - ground ** (1 / 2.2)).max())
        if lighter > least or (lighter > least / 2 and other > 0.45):
            return ink
    return linear(0.1, 0.05, 0.95 if lightness(ground) < 0.5 else 0.03)


@dataclass(frozen=True)
class Matter:
    """colour, streaks: the two that its figure mixes. figure: plain, or Blender's texture. fine: how fine the figure is, a unit.

    rough, metal, coat, glass, wax, bumps: 0-1, as the principled shader takes roughness, metallic, coat, transmission, subsurface
    and the strength of a relief.
    """

    colour: Colour
    streaks: Colour
    figure: str = "plain"
    fine: float = 2.0
    rough: float = 0.5
    metal: float = 0.0
    coat: float = 0.0
    glass: float = 0.0
    wax: float = 0.0
    bumps: float = 0.0


def hard(rng: Rng, colour: Colour) -> Matter:
    """What dice, cubes and checkers are made of: plastic above all, then resin, wood, metal, glass."""
    streaks = np.clip(colour * rng.choice([rng.uniform(0.35, 0.85), rng.uniform(1.2, 2.5)]), 0, 0.95)
    made = Matter(colour, streaks, rough=rng.uniform(0.06, 0.6), wax=float(rng.choice([0.0, 0.0, 0.25])))
    kind = rng.choice(["plastic", "swirled", "wood", "metal", "glass", "worn"], p=[0.5, 0.16, 0.12, 0.06, 0.06, 0.1])
    if kind == "swirled":
        return replace(made, figure=str(rng.choice(["noise", "voronoi", "magic"])), fine=rng.uniform(1.5, 9))
    if kind == "wood":
        return replace(made, figure="wave", fine=rng.uniform(2, 9), rough=rng.uniform(0.25, 0.7))
    if kind == "metal":
        return replace(made, metal=1.0, rough=rng.uniform(0.12, 0.5))
    if kind == "glass":
        return replace(made, glass=rng.uniform(0.3, 0.85), rough=rng.uniform(0.02, 0.25))
    if kind == "worn":
        return replace(made, figure="noise", fine=rng.uniform(6, 25), bumps=rng.uniform(0.02, 0.2))
    return made


def wood(rng: Rng) -> Matter:
    """Birch to ebony, raw or varnished."""
    colour = linear(rng.uniform(0.03, 0.11), rng.uniform(0.25, 0.75), rng.uniform(0.1, 0.85))
    return Matter(
        colour,
        colour * rng.uniform(0.35, 0.85),
        "wave",
        rng.uniform(0.5, 4),
        rough=rng.uniform(0.2, 0.7),
        coat=float(rng.choice([0.0, 0.0, 0.7])),
        bumps=rng.uniform(0, 0.06),
    )


def cloth(rng: Rng, colour: Colour) -> Matter:
    """Felt, cork, suede or leather."""
    return Matter(
        colour,
        np.clip(colour * rng.uniform(0.6, 1.15), 0, 0.95),
        str(rng.choice(["noise", "noise", "voronoi"])),
        rng.uniform(3, 50),
        rough=rng.uniform(0.45, 1.0),
        bumps=rng.uniform(0, 0.3),
    )


def of_ground(rng: Rng) -> Matter:
    """What fields, points, rails and tables are made of."""
    pick = rng.random()
    if pick < 0.35:
        return wood(rng)
    if pick < 0.75:
        return cloth(rng, any_paint(rng))
    return replace(hard(rng, any_paint(rng)), glass=0.0)


def material(matter: Matter) -> Any:
    """Blender's material of it."""
    made = bpy.data.materials.new("matter")
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    for name, value in (
        ("Base Color", (*matter.colour, 1)),
        ("Roughness", matter.rough),
        ("Metallic", matter.metal),
        ("Coat Weight", matter.coat),
        ("Transmission Weight", matter.glass),
        ("Subsurface Weight", matter.wax),
    ):
        shader.inputs[name].default_value = value
    if matter.figure == "plain" and not matter.bumps:
        return made
    texture = nodes.new(f"ShaderNodeTex{'Noise' if matter.figure == 'plain' else matter.figure.title()}")
    texture.inputs["Scale"].default_value = matter.fine
    if matter.figure == "wave":
        texture.inputs["Distortion"].default_value = 5.0
        texture.inputs["Detail"].default_value = 2.5
    links.new(nodes.new("ShaderNodeTexCoord").outputs["Object"], texture.inputs["Vector"])
    value = texture.outputs["Distance" if matter.figure == "voronoi" else "Fac"]
    if matter.figure != "plain":
        ramp = nodes.new("ShaderNodeValToRGB")
        ramp.color_ramp.elements[0].color = (*matter.colour, 1)
        ramp.color_ramp.elements[1].color = (*matter.streaks, 1)
        ramp.color_ramp.elements[0].position = 0.35
        ramp.color_ramp.elements[1].position = 0.75
        links.new(value, ramp.inputs["Fac"])
        links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    if matter.bumps:
        bump = nodes.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value = matter.bumps
        bump.inputs["Distance"].default_value = 0.04
        links.new(value, bump.inputs["Height"])
        links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return made


def print_on(masks: npt.NDArray[np.uint8], ink: Matter, strength: float) -> Any:
    """A material that shows `ink` where a row of pictures, (n, s, s) uint8 side by side along u, is white, and nothing elsewhere.

    strength: 0-1, how much of the ground the ink covers.
    """
    n, s = masks.shape[:2]
    row = np.concatenate(list(masks), axis=1)[::-1].astype(np.float32) * (strength / 255)
    pixels = np.ones((s, n * s, 4), np.float32)
    pixels[..., :3] = row[..., None]
    picture = bpy.data.images.new("print", n * s, s, float_buffer=False)
    picture.colorspace_settings.name = "Non-Color"
    picture.pixels.foreach_set(pixels.ravel())
    picture.update()
    made = material(ink)
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shown = nodes.new("ShaderNodeTexImage")
    shown.image = picture
    mix = nodes.new("ShaderNodeMixShader")
    links.new(shown.outputs["Color"], mix.inputs["Fac"])
    links.new(nodes.new("ShaderNodeBsdfTransparent").outputs[0], mix.inputs[1])
    links.new(nodes["Principled BSDF"].outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], nodes["Material Output"].inputs["Surface"])
    return made
