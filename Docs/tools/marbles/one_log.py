"""One log and the places in it, in four steps."""

from .picture import Picture

LEFT, CELL, PANEL, TOP = 46, 72, 128, 6
MID = 92  # of a panel: the middle of its log


def gap(i): return LEFT + CELL * i


def panel(picture, number, words, first, last, places, kinds):
    y = TOP + PANEL * (number - 1)
    picture.text(16, y + 20, str(number), 16, bold=True)
    picture.text(38, y + 20, words, 15)
    m = y + MID
    left, right = gap(first) - 9, gap(last) + 9
    picture.add(f'<rect x="{left}" y="{m - 25}" width="{right - left}" height="50" rx="10" '
                'fill="{box}" stroke="{line}" stroke-width="1.5"/>')
    for value in range(1, last + 1):
        x, kind = gap(value - 1) + CELL / 2, kinds.get(value, "live")
        if kind != "gone":
            picture.marble(x, m, str(value), kind)
            continue
        picture.add(f'<circle cx="{x:g}" cy="{m}" r="17" fill="{{paper}}" stroke="{{faint}}" '
                    'stroke-width="2" stroke-dasharray="2.5 3"/>')
        picture.text(x, m + 5, str(value), 14, "faint", "middle", bold=True)
    for at, who in places.items():
        picture.text(gap(at), m - 40, who, 16, "text", "middle", bold=True)
        picture.line(gap(at), m - 34, gap(at), m + 25, "text", 2.5)
        picture.head(gap(at), m - 24, 0, 1, "text")


def one_log():
    picture = Picture("One log, many places", 480, TOP + 4 * PANEL + 4)
    panel(picture, 1, "The log. C has had 1 and 2: it is at the end.", 0, 2, {2: "C"}, {})
    panel(picture, 2, "D joins two back: replay: .last(2)", 0, 2, {0: "D", 2: "C"},
          {1: "replay", 2: "replay"})
    panel(picture, 3, "E is slow. The log keeps what E lacks.", 0, 5, {0: "E", 5: "C D"}, {})
    panel(picture, 4, "The log drops what is behind the last place.", 2, 5, {2: "E", 5: "C D"},
          {1: "gone", 2: "gone"})
    return picture


PICTURES = {"one-log": one_log()}
