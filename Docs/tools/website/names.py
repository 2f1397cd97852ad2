"""What a reader sees first: short titles in the sidebar, the one module to import, the picture of an operator."""

import re

from archive import CATALOG, pages, read, write

# The letters that fit into the sidebar on a screen of 1300 pixels.
LONGEST = 35
# The kinds of symbols that have parameters.
CALLED = ("method", "func", "init", "subscript")
# What Fanout exports again: a reader imports Fanout.
PARTS = ("FanoutCore", "FanoutOperators")
LISTED = re.compile(r"^- \[([^\]]+)\]\[(\w+)\]$", re.MULTILINE)


def listed_guides():
    """The groups of the first page's contents, each with its guides as `(title, name)`."""
    text = (CATALOG / "Fanout.md").read_text(encoding="utf-8")
    groups = []
    for group in re.split(r"^### ", text.partition("\n## Topics\n")[2], flags=re.MULTILINE)[1:]:
        guides = LISTED.findall(group)
        if guides:
            groups.append((group.partition("\n")[0], guides))
    for title in (title for _, guides in groups for title, _ in guides):
        if len(title) > LONGEST:
            raise SystemExit(f"build-docs: the sidebar would cut a title of Fanout.md: {title}")
    return groups


def shorten_titles(site):
    """Writes short titles into the index that the sidebar reads.

    A guide has the one by which the first page lists it, and what has a declaration its name: of `func share(replay:
    Replay<Self.Output>, …` a sidebar shows no more than the beginning.
    """
    short = {f"/documentation/fanout/{name.lower()}": title
             for _, guides in listed_guides() for title, name in guides}
    short |= {address: page["metadata"]["title"] for _, address, page in pages(site)
              if page["metadata"].get("symbolKind") in CALLED}
    path = site / "index" / "index.json"
    index = read(path)

    def visit(nodes):
        for node in nodes:
            node["title"] = short.get(node.get("path"), node.get("title"))
            visit(node.get("children", ()))

    visit(index["interfaceLanguages"]["swift"])
    write(path, index)


def shows_picture(section):
    return any(part.get("type") == "image" for block in section.get("content", ())
               for part in block.get("inlineContent", ()))


def put_first(site):
    """Names Fanout alone where a reader imports it, and puts what has a picture in front of the parameters."""
    for path, _, page in pages(site):
        for module in page["metadata"].get("modules", ()):
            if module["name"] == "Fanout":
                others = [name for name in module.pop("relatedModules", ()) if name not in PARTS]
                if others:
                    module["relatedModules"] = others
        sections = page.get("primaryContentSections", [])
        sections.sort(key=lambda section: 0 if section["kind"] == "declarations" else 1 if shows_picture(section) else 2)
        write(path, page)
