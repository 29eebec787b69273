"""The lamp and button controller's program: MicroPython for a Raspberry Pi Pico; the core runs under CPython too."""
