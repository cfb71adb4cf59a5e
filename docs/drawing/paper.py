"""A sheet to draw on: SVG elements, one after the other, and what they need to be seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from docs.drawing import colours

Point = tuple[float, float]

FONT = "ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Helvetica Neue',sans-serif"

# Light and shade, the same on every colour.
_SHADES = {
    "sheen": '<radialGradient id="sheen" cx=".34" cy=".26" r=".8"><stop stop-color="#fff" stop-opacity=".34"/>'
    '<stop offset=".55" stop-color="#fff" stop-opacity=".04"/><stop offset="1" stop-color="#fff" stop-opacity="0"/>'
    "</radialGradient>",
    "shadow": '<radialGradient id="shadow"><stop stop-opacity=".42"/><stop offset=".62" stop-opacity=".26"/>'
    '<stop offset="1" stop-opacity="0"/></radialGradient>',
    "lit": '<linearGradient id="lit" x2="1" y2="1"><stop stop-color="#fff" stop-opacity=".2"/>'
    '<stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-opacity=".1"/></linearGradient>',
    "fall": '<linearGradient id="fall" x2="0" y2="1"><stop stop-color="#fff" stop-opacity=".22"/>'
    '<stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-opacity=".1"/></linearGradient>',
    "round-light": '<radialGradient id="round-light" cx=".38" cy=".3" r=".74"><stop stop-color="#fff" '
    'stop-opacity=".8"/><stop offset=".45" stop-color="#fff" stop-opacity=".08"/><stop offset=".78" '
    'stop-color="#6b4310" stop-opacity=".2"/><stop offset="1" stop-color="#4a2c05" stop-opacity=".5"/>'
    "</radialGradient>",
    "round-dark": '<radialGradient id="round-dark" cx=".38" cy=".3" r=".76"><stop stop-color="#e6f0ff" '
    'stop-opacity=".5"/><stop offset=".42" stop-color="#cfe0fb" stop-opacity=".12"/><stop offset=".78" '
    'stop-opacity=".22"/><stop offset="1" stop-opacity=".6"/></radialGradient>',
    "hatch": '<pattern id="hatch" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path d="M0 0h2.6v9h-2.6z" fill="#fff" fill-opacity=".13"/></pattern>',
    "grain": '<pattern id="grain" width="7" height="7" patternUnits="userSpaceOnUse">'
    '<path d="M0 3h7v1.3h-7z" fill="#7a5310" fill-opacity=".12"/></pattern>',
    "grain-up": '<pattern id="grain-up" width="7" height="7" patternUnits="userSpaceOnUse">'
    '<path d="M3 0h1.3v7h-1.3z" fill="#7a5310" fill-opacity=".12"/></pattern>',
}


def number(value: float) -> str:
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def path(*points: Point, closed: bool = True) -> str:
    """Straight lines from point to point."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + ("Z" if closed else "")


class Paper:
    """Elements in the order in which they are painted.

    Colours are names, or `url(#…)` for light and shade. Attributes are numbers or texts.
    """

    def __init__(self) -> None:
        self._elements: list[str] = []
        self._kept: dict[str, str] = {}  # what is drawn more than once, by name
        self._classes: set[str] = set()

    def put(
        self, tag: str, fill: str | None = None, line: str | None = None, text: str = "", **attributes: Any
    ) -> None:
        """One element; `_` in the names of attributes stands for `-`."""
        parts = [f"<{tag}"]
        classes = []
        for kind, colour in (("fill", fill), ("line", line)):
            if colour is not None and colour.startswith(("url(", "#")):
                attributes["fill" if kind == "fill" else "stroke"] = colour
            elif colour is not None:
                classes.append(f"{kind}-{colour}")
        if line is not None and fill is None:
            attributes["fill"] = "none"
        self._classes.update(classes)
        if classes:
            parts.append(f'class="{" ".join(classes)}"')
        for name, value in attributes.items():
            shown = value if isinstance(value, str) else _fraction(name, value)
            parts.append(f'{name.replace("_", "-")}="{escape(shown)}"')
        self._elements.append(" ".join(parts) + (f">{escape(text)}</{tag}>" if text else "/>"))

    def circle(
        self, middle: Point, radius: float, fill: str | None = None, line: str | None = None, **attributes: Any
    ) -> None:
        self.put("circle", fill, line, cx=middle[0], cy=middle[1], r=radius, **attributes)

    def box(
        self,
        corner: Point,
        size: Point,
        round_by: float,
        fill: str | None = None,
        line: str | None = None,
        **attributes: Any,
    ) -> None:
        self.put("rect", fill, line, x=corner[0], y=corner[1], width=size[0], height=size[1], rx=round_by, **attributes)

    def write(self, at: Point, text: str, size: float, colour: str, anchor: str = "middle", **attributes: Any) -> None:
        self.put("text", colour, text=text, x=at[0], y=at[1], font_size=size, text_anchor=anchor, **attributes)

    @contextmanager
    def group(self, **attributes: Any) -> Iterator[None]:
        """What is drawn meanwhile belongs together."""
        shown = (f' {name.rstrip("_").replace("_", "-")}="{value}"' for name, value in attributes.items())
        self._elements.append(f"<g{''.join(shown)}>")
        yield
        self._elements.append("</g>")

    @contextmanager
    def keep(self, name: str) -> Iterator[bool]:
        """What is drawn meanwhile is kept under a name instead, for `again`. Gives whether it is there already."""
        known = name in self._kept
        shown, self._elements = self._elements, []
        yield known
        if not known:
            self._kept[name] = f'<g id="{name}">{"".join(self._elements)}</g>'
        self._elements = shown

    def again(self, name: str, at: Point, **attributes: Any) -> None:
        """Draw what was kept, with its origin at that point."""
        self.put("use", href=f"#{name}", x=at[0], y=at[1], **attributes)

    def svg(self, size: Point, width: int, title: str, rules: Iterable[str] = ()) -> str:
        """The whole picture, `width` pixels wide unless somebody says otherwise."""
        body = "".join(self._elements)
        kept = "".join(self._kept.values())
        shades = "".join(text for name, text in _SHADES.items() if f"url(#{name})" in body + kept)
        across, down = size
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(across)} {number(down)}" width="{width}" '
            f'height="{number(width * down / across)}" font-family="{FONT}" role="img">\n'
            f"<title>{escape(title)}</title>\n<style>{colours.style(self._classes)}{''.join(rules)}</style>\n"
            f"<defs>{shades}{kept}</defs>\n" + body.replace("><g", ">\n<g") + "\n</svg>\n"
        )


def _fraction(name: str, value: float) -> str:
    """Parts of a whole need two places, lengths one."""
    return f"{value:g}" if name.endswith("opacity") else number(value)
