"""Drawing as SVG."""

from __future__ import annotations

from xml.etree import ElementTree

from parlour.server.pages.svg_brush import SvgBrush

SVG = "{http://www.w3.org/2000/svg}"


def test_shapes_become_elements() -> None:
    """Lines are inside of the shape, and the transparency of a colour is kept."""
    brush = SvgBrush()
    brush.box((0, 0), (10, 20), "#fff", radius=2, line="#000", width=2)
    brush.circle((5, 5), 3, (1, 2, 3, 51))
    brush.polygon([(0, 0), (1, 2)], None, "#000", 1)
    brush.line([(0, 0), (1, 2)], "#000", 1)
    root = ElementTree.fromstring(brush.picture(30, 40, "A <board>"))

    assert root.attrib["viewBox"] == "0 0 30 40"
    assert [each.tag.removeprefix(SVG) for each in root] == ["title", "rect", "circle", "polygon", "polyline"]
    assert root[0].text == "A <board>"
    assert root[1].attrib | {"x": "1", "width": "8", "rx": "2", "stroke-width": "2"} == root[1].attrib
    assert root[2].attrib["fill"] == "rgba(1,2,3,0.2)"


def test_text_is_escaped_and_placed() -> None:
    """By the same anchors as elsewhere."""
    brush = SvgBrush()
    brush.text((1, 2), "<+3>", 10, "#000", anchor="la", bold=1)
    text = ElementTree.fromstring(brush.picture(1, 1, ""))[1]
    assert (text.text, text.attrib["text-anchor"], text.attrib["stroke-width"]) == ("<+3>", "start", "1")
