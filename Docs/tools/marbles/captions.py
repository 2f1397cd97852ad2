"""The texts of the pictures where they are shown: in the doc comments of the operators, and in the guides."""

import re

IN_COMMENT = re.compile(r"^( *)/// !\[(.*)\]\(([a-z0-9-]+)\)$", re.MULTILINE)
IN_GUIDE = re.compile(r"^()!\[(.*)\]\(([a-z0-9-]+)\.svg\)$", re.MULTILINE)


def captioned(sources, scenes, others):
    """The files whose captions are to change, with their new text; where each picture is shown; complaints.

    The pictures of `others` come from no table: where they are shown, their captions are written by hand.
    """
    texts = {scene.name: scene.text for scene in scenes}
    changed, shown, complaints = {}, {}, []
    for path in sorted([*sources.rglob("*.swift"), *sources.rglob("*.md")]):
        text = path.read_text(encoding="utf-8")
        in_comment = path.suffix == ".swift"

        def caption(found):
            indentation, words, name = found.groups()
            if in_comment and (name in texts or name in others):
                shown.setdefault(name, set()).add(path.relative_to(sources).parts[0])
            elif in_comment:
                complaints.append(f"{path.relative_to(sources)}: there is no picture {name}")
            if name not in texts:
                return found[0]
            if in_comment:
                return f"{indentation}/// ![{texts[name]}]({name})"
            return f"![{texts[name]}]({name}.svg)"

        new = (IN_COMMENT if in_comment else IN_GUIDE).sub(caption, text)
        if new != text:
            changed[path] = new
    complaints += [f"no doc comment shows the picture {name}" for name in texts if name not in shown]
    return changed, shown, complaints
