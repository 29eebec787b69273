"""The lamp and button controller's program: MicroPython for a Raspberry Pi Pico; the core runs under CPython too.

Imports nothing of ours; hardware.py alone touches pins and clock.
"""
