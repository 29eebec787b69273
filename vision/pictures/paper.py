"""Draws a sheet of paper to print, as SVG in millimetres: white, with rectangles and lines of text."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring


class PaperSheet:
    """size: (width, height) mm."""

    def __init__(self, size: tuple[int, int]) -> None:
        width, height = size
        box = {"width": f"{width}mm", "height": f"{height}mm", "viewBox": f"0 0 {width} {height}"}
        self._root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg"} | box)
        self.rectangle(0, 0, width, height, fill="#fff")

    def rectangle(self, left: float, top: float, width: float, height: float, **style: str) -> None:
        """style: attributes of SVG, with _ for -; without any it is black."""
        place = {"x": left, "y": top, "width": width, "height": height}
        SubElement(self._root, "rect", {name: f"{value:.6g}" for name, value in place.items()} | _attributes(style))

    def text(self, text: str, x: float, y: float, size: float, **style: str) -> None:
        """One line. size: of its letters, mm."""
        at = {"x": f"{x:.6g}", "y": f"{y:.6g}", "font-family": "sans-serif", "font-size": f"{size:g}"}
        SubElement(self._root, "text", at | _attributes(style)).text = text

    def svg(self) -> str:
        """The file's text."""
        indent(self._root)
        return tostring(self._root, encoding="unicode") + "\n"


def _attributes(style: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in style.items()}
