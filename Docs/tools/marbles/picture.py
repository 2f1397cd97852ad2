"""What every picture is made of: lines, marbles and words, in the colours of light and of dark."""

from xml.sax.saxutils import escape

FONT = "-apple-system, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"
MONO = "ui-monospace, Menlo, Consolas, 'Liberation Mono', monospace"

LIGHT = {
    "text": "#1d1d1f", "faint": "#6e6e73", "line": "#86868b",
    "source": "#5b6b7b", "live": "#0b63ce", "replay": "#b54a00", "replay-fill": "#fff3e8",
    "on-fill": "#ffffff", "box": "#f5f5f7", "paper": "#ffffff", "bad": "#c3002f",
}
DARK = {
    "text": "#f5f5f7", "faint": "#a1a1a6", "line": "#86868b",
    "source": "#8fa3b8", "live": "#5aa9ff", "replay": "#ff9f52", "replay-fill": "#33200f",
    "on-fill": "#101014", "box": "#2a2a2d", "paper": "#101014", "bad": "#ff6b81",
}


def in_the_dark(body, light=LIGHT, dark=DARK):
    """A style that gives a light picture the dark colours where a reader's browser is dark.

    A repository browser shows the light pictures alone. DocC has both, and Docs/tools/build-docs takes this out.
    """
    colours = {light[name]: dark[name] for name in light if light[name] != dark[name]}
    rules = "".join(f'[{of}="{colour}"]{{{of}:{other}}}' for of in ("fill", "stroke")
                    for colour, other in colours.items() if f'{of}="{colour}"' in body)
    return f"<style>@media (prefers-color-scheme: dark){{{rules}}}</style>"


class Picture:
    """An SVG in the making; colours are named, and filled in for light or dark at the end."""

    def __init__(self, title, width, height):
        self.title, self.width, self.height = title, width, height
        self.parts = []

    def add(self, text):
        self.parts.append("  " + text)

    def line(self, x1, y1, x2, y2, colour="line", width=1.5, dashes=None):
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.add(f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" '
                 f'stroke="{{{colour}}}" stroke-width="{width:g}"{dash}/>')

    def text(self, x, y, words, size=14, colour="text", anchor="start", bold=False, mono=False):
        weight = ' font-weight="600"' if bold else ""
        family = f' font-family="{MONO}"' if mono else ""
        # A reader's font may be wide, as DejaVu Sans is.
        length = len(words) * size * 0.6
        begin = x - {"start": 0, "middle": length / 2, "end": length}[anchor]
        if begin < 0 or begin + length > self.width:
            raise ValueError(f"{self.title}: in a wide font `{words}` is cut at the edge")
        words = escape(words).replace("{", "{{").replace("}", "}}")
        self.add(f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{{{colour}}}" '
                 f'text-anchor="{anchor}"{weight}{family}>{words}</text>')

    def arrow(self, x1, x2, y):
        self.line(x1, y, x2, y)
        self.head(x2, y, 1, 0)

    def head(self, x, y, dx, dy, colour="line"):
        """An arrow head that points in the direction (dx, dy)."""
        points = [(x, y), (x - 9 * dx - 4.5 * dy, y - 9 * dy - 4.5 * dx),
                  (x - 9 * dx + 4.5 * dy, y - 9 * dy + 4.5 * dx)]
        listed = " ".join(f"{a:g},{b:g}" for a, b in points)
        self.add(f'<polygon points="{listed}" fill="{{{colour}}}"/>')

    def marble(self, x, y, words, kind="live"):
        """A value: `live`, `source`, `replay`, `dropped`; `key-…` makes it a square."""
        square, kind = kind.startswith("key-"), kind.removeprefix("key-")
        fill, stroke, ink, extra = {
            "live": ("live", "live", "on-fill", ""),
            "source": ("source", "source", "on-fill", ""),
            "replay": ("replay-fill", "replay", "replay", ' stroke-dasharray="4 2.5"'),
            "dropped": ("paper", "faint", "text", ' stroke-dasharray="2.5 3"'),
        }[kind]
        style = f'fill="{{{fill}}}" stroke="{{{stroke}}}" stroke-width="2"{extra}'
        if square:
            self.add(f'<rect x="{x - 16:g}" y="{y - 16:g}" width="32" height="32" rx="4" {style}/>')
        else:
            self.add(f'<circle cx="{x:g}" cy="{y:g}" r="17" {style}/>')
        size = 14 if len(words) < 3 else 12
        self.text(x, y + size * 0.36, words, size, ink, "middle", bold=True)
        if kind == "dropped":
            self.line(x + 9, y - 18, x + 18, y - 9, "bad", 2.5)
            self.line(x + 9, y - 9, x + 18, y - 18, "bad", 2.5)

    def start(self, x, y):
        """Where a subscriber's line begins."""
        self.line(x, y - 9, x, y + 9, "text", 2)

    def end(self, x, y, mark):
        """Where a line ends: by a finish, by a failure, or by a cancel."""
        if mark == "finish":
            self.line(x, y - 13, x, y + 13, "text", 3)
        elif mark == "failure":
            self.line(x - 9, y - 9, x + 9, y + 9, "bad", 3)
            self.line(x - 9, y + 9, x + 9, y - 9, "bad", 3)
        else:
            self.line(x, y - 11, x, y + 11, "text", 3, "4 3")

    def svg(self, palette):
        body = "\n".join(self.parts).format_map(palette)
        style = f"  {in_the_dark(body)}\n" if palette is LIGHT else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" font-family="{FONT}" role="img">\n'
            f"  <title>{escape(self.title)}</title>\n{style}{body}\n</svg>\n"
        )
