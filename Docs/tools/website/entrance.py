"""The entrance of the site, the page for addresses without one, and what each page has before its script runs."""

import html
import pathlib
import re
import shutil

from archive import CONTRIBUTORS, FIRST, MODULES, ROOT, pages, plain, read
from markup import blocks, inline

PAGES = pathlib.Path(__file__).resolve().parent / "pages"
PLAY = ROOT / "Docs" / "play" / "play.html"
# The groups of guides come first in the topics of the module; those of symbols follow.
GROUPS = 6

# What has no reference of its own, and what a reader has to know of it.
WITHOUT_PAGE = (
    ("FanoutCore, FanoutOperators", "fanout",
     "Parts of Fanout that can be imported alone; their reference is in that of Fanout."),
    ("FanoutCombine", "fanout/callbacksandtasks", "The bridge to Combine, where Combine is."),
)


def item(address, title, words, is_code=False):
    title = f"<code>{html.escape(title)}</code>" if is_code else html.escape(title)
    return f'<li><a href="{address}">{title}</a><span>{words}</span></li>'


def abstract(page):
    return html.escape(plain(page.get("abstract", []), page["references"]).strip(), quote=False)


def module_list(site, base):
    items = []
    for module in MODULES:
        page = read(site / "data" / "documentation" / f"{module.lower()}.json")
        items.append(item(f"{base}/documentation/{module.lower()}", module, abstract(page), True))
    items += [item(f"{base}/documentation/{path}", name, words, True) for name, path, words in WITHOUT_PAGE]
    return "\n".join(items)


def guide_groups(first, site, base):
    """The guides in the groups in which the first page lists them."""
    groups = []
    for section in first["topicSections"][:GROUPS]:
        items = []
        for name in section["identifiers"]:
            guide = first["references"][name]
            page = read(site / f"data{guide['url']}.json")
            items.append(item(base + guide["url"], guide["title"], inline(page["abstract"], page["references"], base)))
        groups.append(f"<section><h2>{html.escape(section['title'])}</h2>\n<ul>\n" + "\n".join(items) + "\n</ul></section>")
    return "\n".join(groups)


def opening(first, base):
    """What stands on the first page in front of its first table: an example, and beside it the rest with the picture."""
    example, rest = [], []
    for block in (block for section in first["primaryContentSections"] for block in section["content"]):
        if block["type"] == "table":
            break
        if rest or block["type"] == "heading" and block["level"] > 2:
            rest.append(block)
        elif block["type"] != "heading":
            example.append(block)
    if rest and rest[-1]["type"] == "heading":
        rest.pop()
    pictures = [block for block in example if any(
        part["type"] == "image" or "/play.html#" in part.get("identifier", "") for part in block.get("inlineContent", ()))]
    example = [block for block in example if block not in pictures]
    references = first["references"]
    return (f"<div>{blocks(example, references, base)}</div>\n"
            f'<div>{blocks(pictures, references, base)}'
            f"{blocks(rest, references, base)}</div>")


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


def replace_once(text, old, new, path):
    if text.count(old) != 1:
        raise SystemExit(f"build-docs: {path} has {old!r} {text.count(old)} times: this docc writes another page")
    return text.replace(old, new)


def name_site(site):
    """Names the site in the titles that the script of the pages writes."""
    path = next((site / "js").glob("index.*.js"))
    text = path.read_text(encoding="utf-8")
    path.write_text(
        replace_once(text, '["meta","title"],"Documentation"', '["meta","title"],"Fanout documentation"', path), encoding="utf-8")


def add_shell(site, base):
    """Gives each page its title, its description, the bar, and an article its text for readers without a script."""
    head, bar = page_of("head.html", base=base), page_of("bar.html", base=base)
    count = 0
    for path, address, page in pages(site):
        file = site / address.lstrip("/") / "index.html"
        title = html.escape(page["metadata"]["title"], quote=False)
        words = abstract(page).replace('"', "&quot;")
        text = file.read_text(encoding="utf-8")
        text = replace_once(text, "<title>Documentation</title>",
                            f"<title>{title} | Fanout documentation</title><meta name=\"description\" content=\"{words}\">", file)
        text = replace_once(text, "</head>", head + "</head>", file)
        content = [block for section in page.get("primaryContentSections", ()) for block in section.get("content", ())]
        bare = (f'<noscript><style>#loading-placeholder{{display:none}}</style><main class="noscript">'
                f'<p><a href="{base}/documentation/">All modules and guides</a></p><h1>{title}</h1>'
                f"<p>{abstract(page)}</p>{blocks(content, page['references'], base)}</main></noscript>")
        text = re.sub(r"<noscript>.*?</noscript>", lambda _: bare, text, count=1, flags=re.S)
        text, bars = re.subn(r"<body[^>]*>", lambda body: body[0] + bar, text, count=1)
        if not bars:
            raise SystemExit(f"build-docs: {file} has no body for the bar")
        file.write_text(text, encoding="utf-8")
        count += 1
    return count


def add_entrance(site, base):
    """Writes the entrance and gives each page its shell; returns the number of pages."""
    name_site(site)
    count = add_shell(site, base)
    (site / "search").mkdir(exist_ok=True)
    for name in ("site.css", "find.js", "search.js"):
        shutil.copyfile(PAGES / name, site / "search" / name)
    (site / "play.html").write_text(replace_once(
        PLAY.read_text(encoding="utf-8"), "<h1>",
        f'<a href="{base}/documentation/">All modules and guides</a>\n'
        "<noscript><p>This page needs JavaScript.</p></noscript>\n<h1>", PLAY), encoding="utf-8")
    first = read(site / "data" / "documentation" / "fanout.json")
    head = page_of("head.html", base=base)
    (site / "documentation" / "index.html").write_text(page_of(
        "entrance.html", head=head, base=base, lead=abstract(first), opening=opening(first, base),
        guides=guide_groups(first, site, base), modules=module_list(site, base),
        contributors=f"{base}{CONTRIBUTORS}"), encoding="utf-8")
    (site / "404.html").write_text(page_of("404.html", head=head, base=base), encoding="utf-8")
    (site / "index.html").write_text(
        '<!doctype html><meta charset="utf-8"><title>Fanout</title>\n'
        f'<meta http-equiv="refresh" content="0; url={base}/documentation/">\n', encoding="utf-8")
    # docc asks for it on each page.
    settings = site / "theme-settings.json"
    if not settings.exists():
        # Its second search, of symbols only, comes with the key /.
        settings.write_text('{"features":{"docs":{"quickNavigation":{"enable":false}}}}\n', encoding="utf-8")
    return count
