"""The picture of who keeps whom alive in a shared pipeline, in five boxes."""

from .picture import Picture

WIDTH, HEIGHT = 122, 58
TOP, BELOW = 46, 166


def box(picture, x, y, title, words, frame="line"):
    """A box around a centre."""
    picture.add(f'<rect x="{x - WIDTH / 2:g}" y="{y - HEIGHT / 2:g}" width="{WIDTH}" height="{HEIGHT}" rx="8" '
                f'fill="{{box}}" stroke="{{{frame}}}" stroke-width="1.5"/>')
    picture.text(x, y - 4, title, 15, anchor="middle", bold=True)
    picture.text(x, y + 16, words, 12, "faint", "middle")


def arrow(picture, points, colour, dashes=None):
    """A line through points with a head at the last one."""
    for (x1, y1), (x2, y2) in zip(points, points[1:]):
        picture.line(x1, y1, x2, y2, colour, 2, dashes)
    (x1, y1), (x2, y2) = points[-2:]
    length = abs(x2 - x1) + abs(y2 - y1)
    picture.head(x2, y2, (x2 - x1) / length, (y2 - y1) / length, colour)


def owners():
    picture = Picture("Who keeps whom alive in a shared pipeline", 720, 286)
    owner, subscription, share, upstream = 77, 270, 450, 640
    half = WIDTH / 2
    box(picture, owner, TOP, "your object", "its AnyCancellable", "live")
    box(picture, subscription, TOP, "subscription", "one for each sink")
    box(picture, share, TOP, "share", "values, connection")
    box(picture, upstream, TOP, "upstream", "the work, once")
    box(picture, subscription, BELOW, "subscriber", "a sink\u2019s closures")
    for left, right, colour in (
            (owner, subscription, "replay"), (subscription, share, "replay"), (share, upstream, "line")):
        y = TOP if left == owner else TOP - 10
        arrow(picture, [(left + half, y), (right - half - 2, y)], colour)
    for right, left in ((share, subscription), (upstream, share)):
        arrow(picture, [(right - half, TOP + 12), (left + half + 2, TOP + 12)], "replay")
    below = TOP + HEIGHT / 2
    arrow(picture, [(subscription, below), (subscription, BELOW - HEIGHT / 2 - 2)], "replay")
    arrow(picture, [(subscription - half, BELOW), (owner, BELOW), (owner, below + 2)], "bad", "6 4")
    legend = (("replay", None, "until cancel or completion"), ("line", None, "as long as the share lives"),
              ("bad", "6 4", "if a closure captures your object: a cycle, the classic leak"))
    for (colour, dashes, words), (x, y) in zip(legend, ((16, 236), (330, 236), (16, 266))):
        arrow(picture, [(x, y), (x + 40, y)], colour, dashes)
        picture.text(x + 52, y + 4.5, words, 13)
    return picture


PICTURES = {"owners": owners()}
