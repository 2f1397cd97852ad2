"""Draws the scenes of the tables: publishers, the operator in a box, and what its subscriber receives."""

from xml.sax.saxutils import escape

from .picture import MONO, Picture

LEFT, RIGHT, FIRST = 142, 700, 166
RADIUS, BOX, ROW = 17, 32, 48
NARROW = ",.[]()il|\""


class Axis:
    """Where the ticks of a scene are: the fewer it has, the wider apart."""

    def __init__(self, scene):
        rows = [*scene.sources, *(row for _, row in scene.stages)]
        last = max(tick for row in rows for tick in (
            row.start, *(tick for tick, _ in row.values), *(row.end[:1] if row.end else ())))
        self.step = min(64, (RIGHT - 36 - FIRST) / max(last, 1))

    def __call__(self, tick):
        return FIRST + round(self.step * tick)


def half_width(words):
    """Half the width of the marble with these words: a circle, or a longer shape for long ones."""
    if len(words) <= 3:
        return RADIUS
    return max(RADIUS, 9 + sum(2 if letter in NARROW else 3.7 for letter in words))


def places(row, at):
    """The marbles of a row as `(x, half width, words)`, and where the row begins and ends."""
    begin = at(row.start) if row.start else LEFT
    marbles, free, last = [], begin, None
    for tick, words in row.values:
        half = half_width(words)
        x = max(at(tick), begin + 5 + half)
        if last == tick:
            x = free + 3 + half
        elif x - half < free:
            raise ValueError(f"{row.name}: no room for {words}@{tick}")
        marbles.append((x, half, words))
        free, last = x + half, tick
    if row.end is None:
        end = RIGHT
    else:
        end = at(row.end[0])
        end = free + 8 if last == row.end[0] else max(end, begin + 10)
    if free > end or end > RIGHT + 10:
        raise ValueError(f"{row.name}: no room for its end")
    return marbles, begin, end


def draw_row(picture, y, row, at, kind, label):
    marbles, begin, end = places(row, at)
    if label:
        picture.text(12, y + 4.5, label, 13, mono=True)
    else:
        picture.text(12, y + 4.5, "again", 12.5, "faint")
    if row.end:
        picture.line(begin, y, end, y)
        picture.end(end, y, row.end[1])
    else:
        picture.arrow(begin, end, y)
    picture.start(begin, y)
    if not marbles:
        return
    shapes = "".join(
        f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS}"/>' if half == RADIUS else
        f'<rect x="{x - half:g}" y="{y - RADIUS:g}" width="{2 * half:g}" height="{2 * RADIUS}" rx="{RADIUS}"/>'
        for x, half, _ in marbles)
    picture.add(f'<g fill="{{{kind}}}" stroke="{{{kind}}}" stroke-width="2">{shapes}</g>')
    words = "".join(
        f'<text x="{x:g}" y="{y + (5 if len(text) < 3 else 4.3):g}"'
        f'{"" if len(text) < 3 else " font-size=" + chr(34) + "12" + chr(34)}>{escape(text)}</text>'
        for x, _, text in marbles)
    picture.add(f'<g fill="{{on-fill}}" font-size="14" font-weight="600" text-anchor="middle">{words}</g>')


def draw_operator(picture, y, code):
    size = 14 if len(code) <= 62 else 12.5
    if len(code) * size * 0.61 > RIGHT - LEFT:
        raise ValueError(f"`{code}` is too long for its box")
    picture.add(f'<rect x="{LEFT}" y="{y - BOX / 2:g}" width="{RIGHT - LEFT}" height="{BOX}" rx="6" '
                f'fill="{{box}}" stroke="{{line}}"/>')
    text = escape(code).replace("{", "{{").replace("}", "}}")
    picture.add(f'<text x="{(LEFT + RIGHT) / 2:g}" y="{y + 5:g}" font-size="{size:g}" fill="{{text}}" '
                f'text-anchor="middle" font-family="{MONO}">{text}</text>')


def draw(scene):
    """The picture of a scene."""
    top = 52 if scene.moments else 28
    height = top + ROW * (len(scene.sources) + 2 * len(scene.stages) - 1) + 26
    picture, at = Picture(scene.text, 720, height), Axis(scene)
    for tick, words in scene.moments:
        picture.text(at(tick), 18, words, 13, "faint", "middle")
        picture.line(at(tick), 26, at(tick), height - 8, "faint", 1, "3 4")
    y, seen = top, set()
    for row in scene.sources:
        draw_row(picture, y, row, at, "source", "" if row.name in seen else row.name)
        seen.add(row.name)
        y += ROW
    for code, row in scene.stages:
        draw_operator(picture, y, code)
        draw_row(picture, y + ROW, row, at, "live", row.name)
        y += 2 * ROW
    return picture
