"""Content of the archive as HTML, for pages that need no script."""

import html


def inline(content, references, base):
    parts = []
    for part in content:
        kind = part["type"]
        if kind == "text":
            parts.append(html.escape(part["text"], quote=False))
        elif kind == "codeVoice":
            parts.append(f"<code>{html.escape(part['code'], quote=False)}</code>")
        elif kind in ("reference", "link"):
            reference = references.get(part.get("identifier"), {})
            url = reference.get("url", part.get("destination", ""))
            # That of a picture to play with has the base already.
            if reference.get("type") == "topic":
                url = base + url
            words = part.get("overridingTitle") or reference.get("title", part.get("title", ""))
            words = html.escape(words, quote=False)
            if reference.get("role") == "symbol":
                words = f"<code>{words}</code>"
            parts.append(f'<a href="{html.escape(url)}">{words}</a>')
        elif kind == "image":
            parts.append(picture(references[part["identifier"]], base))
        elif kind in ("emphasis", "strong"):
            name = "em" if kind == "emphasis" else "strong"
            parts.append(f"<{name}>{inline(part['inlineContent'], references, base)}</{name}>")
    return "".join(parts)


def picture(image, base):
    """A picture in the colours that the reader has chosen."""
    urls = {("dark" if "dark" in variant["traits"] else "light"): base + variant["url"] for variant in image["variants"]}
    alt = html.escape(image.get("alt", ""))
    dark = f'<source srcset="{urls["dark"]}" media="(prefers-color-scheme: dark)">' if "dark" in urls else ""
    return f'<picture>{dark}<img src="{urls.get("light", urls.get("dark"))}" alt="{alt}"></picture>'


def blocks(content, references, base):
    parts = []
    for block in content:
        match block["type"]:
            case "paragraph":
                parts.append(f"<p>{inline(block['inlineContent'], references, base)}</p>")
            case "heading":
                parts.append(f"<h{block['level']} id=\"{html.escape(block['anchor'])}\">"
                             f"{html.escape(block['text'], quote=False)}</h{block['level']}>")
            case "codeListing":
                parts.append(f"<pre><code>{html.escape(chr(10).join(block['code']), quote=False)}</code></pre>")
            case "unorderedList" | "orderedList" as kind:
                name = "ul" if kind == "unorderedList" else "ol"
                items = "".join(f"<li>{blocks(item['content'], references, base)}</li>" for item in block["items"])
                parts.append(f"<{name}>{items}</{name}>")
            case "table":
                rows = "".join(
                    "<tr>" + "".join(f"<{name}>{blocks(cell, references, base)}</{name}>" for cell in row) + "</tr>"
                    for name, row in zip(["th"] + ["td"] * len(block["rows"]), block["rows"]))
                parts.append(f"<table>{rows}</table>")
            case "aside":
                parts.append(f"<blockquote>{blocks(block['content'], references, base)}</blockquote>")
    return "\n".join(parts)
