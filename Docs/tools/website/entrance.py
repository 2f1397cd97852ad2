"""The entrance of the site: the page /documentation/ with all modules and guides, and a bar that leads to it."""

import html
import pathlib
import re

from archive import CATALOG, MODULES, plain, read

PAGES = pathlib.Path(__file__).resolve().parent / "pages"
CONTENTS = CATALOG.parents[2] / "Docs" / "README.md"
ROW = re.compile(r"^\| \[([^\]]+)\]\(\S+/(\w+)\.md\) \| (.+?) \|$", re.MULTILINE)

# What has no reference of its own, and what a reader has to know of it.
WITHOUT_PAGE = (
    ("FanoutCore, FanoutOperators", "fanout",
     "Parts of Fanout that can be imported alone; their reference is in that of Fanout."),
    ("FanoutCombine", "fanout/besideothers",
     "The bridge to Combine, where Combine is. It has no reference here: see Beside Foundation, Combine."),
)


def marked(text):
    """Text of Markdown's with its code marked."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def item(address, title, words, is_code=False):
    title = f"<code>{html.escape(title)}</code>" if is_code else html.escape(title)
    return f'<li><a href="{address}">{title}</a><span>{marked(words)}</span></li>'


def module_list(site, base):
    items = []
    for module in MODULES:
        page = read(site / "data" / "documentation" / f"{module.lower()}.json")
        items.append(item(f"{base}/documentation/{module.lower()}", module, plain(page["abstract"]), True))
    items += [item(f"{base}/documentation/{path}", name, words, True) for name, path, words in WITHOUT_PAGE]
    return "\n".join(items)


def guide_lists(site, base):
    """The guides by need, as the contents of the folder Docs have them."""
    groups, listed = [], 0
    for group in CONTENTS.read_text(encoding="utf-8").split("\n## ")[1:]:
        items = []
        for title, name, words in ROW.findall(group):
            path = f"documentation/fanout/{name.lower()}" if name != "Fanout" else "documentation/fanout"
            if not (site / path / "index.html").is_file():
                raise SystemExit(f"build-docs: {CONTENTS.name} lists {name}, which has no page")
            items.append(item(f"{base}/{path}", title, words))
        if items:
            heading = html.escape(group.partition("\n")[0])
            groups.append(f"<section><h2>{heading}</h2>\n<ul>\n" + "\n".join(items) + "\n</ul></section>")
            listed += len(items)
    if listed < 20:
        raise SystemExit(f"build-docs: only {listed} guides are listed in {CONTENTS.name}")
    return "\n".join(groups)


def page_of(name, **parts):
    """A file of the folder pages with its parts filled in."""
    text = (PAGES / name).read_text(encoding="utf-8")
    for part, words in parts.items():
        text = text.replace("{" + part + "}", words)
    return text


def leave_light(site):
    """Takes the dark colours out of the light pictures: the site has both, and a reader chooses."""
    for path in (site / "images").rglob("*.svg"):
        text = path.read_text(encoding="utf-8")
        plain = re.sub(r"\s*<style>@media \(prefers-color-scheme: dark\)\{.*?\}\}</style>", "", text, count=1)
        if plain != text:
            path.write_text(plain, encoding="utf-8")


def add_entrance(site, base):
    """Writes the entrance and gives each page the bar; returns the number of pages."""
    head = page_of("head.html", base=base)
    bar = page_of("bar.html", base=base)
    count = 0
    for path in (site / "documentation").rglob("index.html"):
        text = path.read_text(encoding="utf-8")
        with_bar = text.replace("</head>", head + "</head>", 1)
        with_bar, bars = re.subn(r"<body[^>]*>", lambda body: body[0] + bar, with_bar, count=1)
        if not bars or head not in with_bar:
            raise SystemExit(f"build-docs: {path} has no head and body for the bar")
        path.write_text(with_bar, encoding="utf-8")
        count += 1
    (site / "search").mkdir(exist_ok=True)
    for name in ("site.css", "search.js"):
        (site / "search" / name).write_text(page_of(name), encoding="utf-8")
    entrance = page_of("entrance.html", head=head, base=base, modules=module_list(site, base),
                       guides=guide_lists(site, base))
    (site / "documentation" / "index.html").write_text(entrance, encoding="utf-8")
    (site / "index.html").write_text(
        '<!doctype html><meta charset="utf-8"><title>Fanout</title>\n'
        f'<meta http-equiv="refresh" content="0; url={base}/documentation/">\n', encoding="utf-8")
    # docc asks for it on each page.
    settings = site / "theme-settings.json"
    if not settings.exists():
        settings.write_text("{}\n", encoding="utf-8")
    return count
