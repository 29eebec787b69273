"""What things are made of: colours, and Blender's materials of wood, cloth, plastic, metal, glass, marble."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from random import Random
from typing import Any

import bpy

Colour = tuple[float, float, float]
"""Linear red, green, blue, 0-1."""


@dataclass(frozen=True)
class Surface:
    """colour and other: the two that its grain mixes; scale: of the grain; metal, rough, coat, clear, soft: 0-1 as Blender's
    principled shader has them (metallic, roughness, coat, transmission, subsurface); bumps: how deep its relief is."""

    colour: Colour
    other: Colour
    grain: str = "plain"
    scale: float = 3.0
    rough: float = 0.5
    metal: float = 0.0
    coat: float = 0.0
    clear: float = 0.0
    soft: float = 0.0
    bumps: float = 0.0


def any_colour(rng: Random) -> Colour:
    """A random colour."""
    hue, much, light = rng.random(), rng.betavariate(1.1, 1.5), rng.betavariate(1.1, 1.3)
    red, green, blue = colorsys.hsv_to_rgb(hue, much, 0.02 + 0.93 * light)
    return red**2.2, green**2.2, blue**2.2


def wood_colour(rng: Random) -> Colour:
    """Light birch to black-brown."""
    light = rng.uniform(0.12, 0.85)
    red, green, blue = colorsys.hsv_to_rgb(rng.uniform(0.03, 0.11), rng.uniform(0.25, 0.75), light)
    return red**2.2, green**2.2, blue**2.2


def apart(one: Colour, other: Colour) -> float:
    """How far two colours lie apart to the eye, roughly: 0 to 1.7."""
    return sum((a ** (1 / 2.2) - b ** (1 / 2.2)) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5


def shaded(colour: Colour, by: float) -> Colour:
    """Darker or lighter by this factor."""
    red, green, blue = (min(part * by, 0.95) for part in colour)
    return red, green, blue


def wooden(rng: Random) -> Surface:
    """Any wood, matt or varnished."""
    colour = wood_colour(rng)
    return Surface(
        colour,
        shaded(colour, rng.uniform(0.4, 0.85)),
        "wave",
        rng.uniform(0.4, 2.5),
        rough=rng.uniform(0.25, 0.7),
        coat=rng.choice((0.0, 0.0, 0.6)),
        bumps=rng.uniform(0, 0.05),
    )


def cloth(rng: Random, colour: Colour) -> Surface:
    """Felt, suede or leather."""
    return Surface(
        colour,
        shaded(colour, rng.uniform(0.7, 0.97)),
        "noise",
        rng.uniform(4, 60),
        rough=rng.uniform(0.6, 1.0),
        bumps=rng.uniform(0, 0.25),
    )


def of_playing(rng: Random, colour: Colour) -> Surface:
    """What a checker is turned of."""
    kind = rng.choices(("plastic", "marbled", "metal", "wood", "glass", "pearl"), (5, 3, 1.2, 2, 0.8, 1))[0]
    streaks = shaded(colour, rng.choice((rng.uniform(0.3, 0.8), rng.uniform(1.3, 3.0))))
    if kind == "marbled":
        return Surface(
            colour, streaks, rng.choice(("noise", "voronoi", "magic")), rng.uniform(1, 6), rough=rng.uniform(0.1, 0.4)
        )
    if kind == "metal":
        return Surface(colour, streaks, "plain", metal=1.0, rough=rng.uniform(0.12, 0.45))
    if kind == "wood":
        return Surface(colour, shaded(colour, rng.uniform(0.5, 0.9)), "wave", rng.uniform(1, 4), rough=0.45)
    if kind == "glass":
        return Surface(colour, streaks, rough=rng.uniform(0.02, 0.2), clear=rng.uniform(0.3, 0.9))
    if kind == "pearl":
        return Surface(colour, streaks, "noise", 3, rough=0.2, coat=1.0, soft=0.3)
    return Surface(colour, streaks, rough=rng.uniform(0.08, 0.6), soft=rng.choice((0.0, 0.0, 0.2)))


def material(surface: Surface) -> Any:
    """Blender's material of a surface."""
    made = bpy.data.materials.new("surface")
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    for name, value in (
        ("Base Color", (*surface.colour, 1)),
        ("Roughness", surface.rough),
        ("Metallic", surface.metal),
        ("Coat Weight", surface.coat),
        ("Transmission Weight", surface.clear),
        ("Subsurface Weight", surface.soft),
    ):
        shader.inputs[name].default_value = value
    if surface.grain == "plain" and not surface.bumps:
        return made
    place = nodes.new("ShaderNodeTexCoord").outputs["Object"]
    value = _grain(nodes, links, place, surface)
    if surface.grain != "plain":
        mix = nodes.new("ShaderNodeMixRGB")
        mix.inputs["Color1"].default_value = (*surface.colour, 1)
        mix.inputs["Color2"].default_value = (*surface.other, 1)
        links.new(value, mix.inputs["Fac"])
        links.new(mix.outputs["Color"], shader.inputs["Base Color"])
    if surface.bumps:
        bump = nodes.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value = surface.bumps
        bump.inputs["Distance"].default_value = 0.05
        links.new(value, bump.inputs["Height"])
        links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return made


def _grain(nodes: Any, links: Any, place: Any, surface: Surface) -> Any:
    """The output, 0-1, of a texture at the object's own coordinates."""
    kinds = {
        "plain": ("ShaderNodeTexNoise", "Fac"),
        "noise": ("ShaderNodeTexNoise", "Fac"),
        "wave": ("ShaderNodeTexWave", "Fac"),
        "voronoi": ("ShaderNodeTexVoronoi", "Distance"),
        "brick": ("ShaderNodeTexBrick", "Fac"),
        "magic": ("ShaderNodeTexMagic", "Fac"),
    }
    kind, output = kinds[surface.grain]
    texture = nodes.new(kind)
    texture.inputs["Scale"].default_value = surface.scale
    if surface.grain == "wave":
        texture.inputs["Distortion"].default_value = 6.0
        texture.inputs["Detail"].default_value = 3.0
    links.new(place, texture.inputs["Vector"])
    return texture.outputs[output]
