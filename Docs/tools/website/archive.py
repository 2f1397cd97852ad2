"""The pages of the archive that docc writes, as data."""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
# The page of the module, which is the first guide.
FIRST = "/documentation/fanout"
# The address of the first page for contributors, and those of the others.
CONTRIBUTORS = "/documentation/contributors"
FOR_CONTRIBUTORS = {
    f"/documentation/fanout/{name.lower()}"
    for name in ("RulesAndTests", "OwnershipFacts",
                 *(path.stem for path in (ROOT / "Docs" / "Contributors.docc").glob("*.md")))} | {CONTRIBUTORS}
MODULES = ("Fanout", "FanoutFoundation", "FanoutLifetime", "FanoutTestSupport", "FanoutContract")


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def write(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def pages(site):
    """Each page of the archive: the path of its file, its address and its data."""
    data = site / "data"
    for path in sorted(data.glob("documentation/**/*.json")):
        yield path, "/" + path.relative_to(data).with_suffix("").as_posix(), read(path)


def plain(content, references=()):
    """The text of inline content or of blocks, without code listings."""
    if isinstance(content, list):
        return "".join(plain(part, references) for part in content)
    kind = content.get("type")
    if kind in ("text", "codeVoice"):
        return content.get("text", content.get("code", ""))
    if kind == "reference":
        words = content.get("overridingTitle")
        return words or (references[content["identifier"]].get("title", "")
                         if content["identifier"] in references else "")
    if kind in ("codeListing", "image"):
        return ""
    if kind == "table":
        return " ".join(plain(cell, references) + " " for row in content["rows"] for cell in row)
    if kind in ("orderedList", "unorderedList", "termList"):
        return " ".join(plain(item, references) + " " for item in content["items"])
    if "term" in content:
        return plain(content["term"]["inlineContent"]) + " " + plain(content["definition"]["content"])
    inner = content.get("inlineContent", content.get("content", []))
    return plain(inner, references) + ("" if kind in ("emphasis", "strong", "link") else " ")


def sections(page):
    """The sections of an article as `(anchor, heading, blocks)`; the first has no anchor."""
    found = [("", page["metadata"]["title"], [])]
    for section in page.get("primaryContentSections", ()):
        for block in section.get("content", ()):
            if block.get("type") == "heading" and block["level"] > 1:
                found.append((block["anchor"], block["text"], []))
            else:
                found[-1][2].append(block)
    return found
