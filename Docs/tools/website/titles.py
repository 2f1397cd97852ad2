"""Short titles for the guides in the sidebar: those that the contents of the first page have."""

import re

from archive import CATALOG, read, write

# The letters that fit into the sidebar on a screen of 1300 pixels.
LONGEST = 35
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
    """Writes them into the index that the sidebar reads."""
    short = {f"/documentation/fanout/{name.lower()}": title
             for _, guides in listed_guides() for title, name in guides}
    path = site / "index" / "index.json"
    index = read(path)

    def visit(nodes):
        for node in nodes:
            if node.get("type") == "article" and node.get("path") in short:
                node["title"] = short[node["path"]]
            visit(node.get("children", ()))

    visit(index["interfaceLanguages"]["swift"])
    write(path, index)
