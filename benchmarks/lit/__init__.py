"""Boards of any make, modelled and lit physically by Blender: pictures with their truth that share no code with what teaches."""
