"""Makes links of the numbers of rules, and of the threads of other projects, where they are plain text."""

import re

from archive import pages, write

CONTRACT = "doc://swift-fanout.Fanout/documentation/Fanout/TheContract"
ADDRESS = "/documentation/fanout/thecontract"
RULE = re.compile(r"^([A-Z]\d+): ")
FOUND = re.compile(r"\b(?:[A-Z]\d{1,2}|[\w.-]+/[\w.-]+#\d+)\b")
# What has a text of its own: code, links, headings.
CLOSED = ("reference", "codeVoice", "codeListing", "heading", "image", "link")


def rules_of(contract):
    """The reference of each rule by its number, as DocC writes one to a section."""
    found = {}
    for section in contract["primaryContentSections"]:
        for block in section.get("content", ()):
            number = RULE.match(block.get("text", "")) if block["type"] == "heading" else None
            if number:
                anchor = block["anchor"]
                found[number[1]] = {
                    "identifier": f"{CONTRACT}#{anchor}", "title": block["text"], "url": f"{ADDRESS}#{anchor}",
                    "kind": "section", "abstract": [], "type": "topic"}
    return found


def reference_to(words, rules):
    if words in rules:
        return rules[words]
    repository, _, number = words.partition("#")
    if not number:
        return None
    address = f"https://github.com/{repository}/issues/{number}"
    return {"identifier": address, "title": words, "titleInlineContent": [{"type": "text", "text": words}],
            "url": address, "type": "link"}


class Linking:
    """The links that one page gets."""

    def __init__(self, rules, references):
        self.rules, self.references, self.count = rules, references, 0

    def split(self, text):
        """A text as texts and links."""
        parts, end = [], 0
        for found in FOUND.finditer(text):
            reference = reference_to(found[0], self.rules)
            if not reference:
                continue
            if found.start() > end:
                parts.append({"type": "text", "text": text[end:found.start()]})
            self.references.setdefault(reference["identifier"], reference)
            parts.append({"type": "reference", "isActive": True, "identifier": reference["identifier"],
                          "overridingTitle": found[0],
                          "overridingTitleInlineContent": [{"type": "text", "text": found[0]}]})
            self.count += 1
            end = found.end()
        return [*parts, {"type": "text", "text": text[end:]}] if end < len(text) else parts

    def visit(self, value):
        """The same content with its links."""
        if isinstance(value, list):
            parts = []
            for part in value:
                if isinstance(part, dict) and part.get("type") == "text":
                    parts += self.split(part["text"])
                else:
                    parts.append(self.visit(part))
            return parts
        if isinstance(value, dict) and value.get("type") not in CLOSED and value.get("kind") != "declarations":
            return {key: self.visit(inner) for key, inner in value.items()}
        return value


def link_rules(site):
    """Links them on each page; returns how many there are."""
    listed = list(pages(site))
    rules = rules_of(next(page for _, address, page in listed if address == ADDRESS))
    if "D1" not in rules:
        raise SystemExit("build-docs: the page of the contract has no rules")
    count = 0
    for path, _, page in listed:
        linking = Linking(rules, page["references"])
        for part in ("abstract", "primaryContentSections"):
            if part in page:
                page[part] = linking.visit(page[part])
        if linking.count:
            write(path, page)
        count += linking.count
    return count
