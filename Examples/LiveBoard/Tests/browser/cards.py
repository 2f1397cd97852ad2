"""What hands and screen readers do with cards."""

from scene import BOARD


def undone(scene):
    "a removal that is taken back: by Ctrl+Z, and by a button that the Tab key soon reaches"
    tab, other = scene.open(), scene.open()
    item = ["todo", "Item 1"]
    scene.focus(tab, scene.items[1])
    tab.key("Delete")
    scene.wait(lambda: scene.is_shown(tab, ".toast"), "a way back")
    tab.key("z", ctrl=True)
    scene.wait(lambda: item in scene.service.items(BOARD), "the item again")
    scene.wait_equal()
    focused = lambda: tab.evaluate("document.activeElement.querySelector('.text')?.textContent")
    scene.wait(lambda: focused() == "Item 1", lambda: f"the focus on it; {focused()}")
    assert not scene.is_shown(tab, ".toast"), "the way back stays"
    tab.key("Delete")
    scene.wait(lambda: scene.is_shown(tab, ".toast"), "a way back")
    # In a field in which something is typed, Ctrl+Z is the field's.
    tab.key("n")
    tab.type("Half")
    tab.key("z", ctrl=True)
    assert item not in scene.service.items(BOARD)
    tab.evaluate("document.activeElement.value = ''")
    scene.focus(tab, scene.items[2])
    steps = 0
    while tab.evaluate("document.activeElement.textContent") != "Undo":
        steps += 1
        assert steps <= 4, f"Undo is not reached by {steps} times Tab"
        tab.key("Tab")
    tab.key("Enter")
    scene.wait(lambda: item in scene.service.items(BOARD), "the item again")
    scene.wait(lambda: focused() == "Item 1", lambda: f"the focus on it; {focused()}")
    scene.wait_equal([other])


def held(scene):
    "a mouse selects in the text of a card; the grip, a pen and a finger move it"
    tab = scene.open()
    box = lambda selector: tab.evaluate(f"(r => [r.x, r.y, r.width, r.height])"
                                        f"(document.querySelector('{selector}').getBoundingClientRect())")
    card = f'[data-id="{scene.items[0]}"]'
    scene.center(tab, card)
    x, y, width, height = box(f"{card} .text")
    tab.drag((x + 1, y + height / 2), (x + width - 1, y + height / 2))
    selected = tab.evaluate("getSelection().toString()")
    assert selected == "Item 0", selected
    assert scene.stored(scene.items[0])["column"] == "todo"
    column = lambda name: scene.center(tab, f"[data-column={name}] form")
    moves = (
        (f"{card} .grip", "done", lambda start, end: tab.drag(start, end)),
        (f"{card} .text", "doing", lambda start, end: tab.drag(start, end, pointer="pen")),
        (f"{card} .grip", "todo", lambda start, end: tab.touch(start, end)),
        (f"{card} .text", "done", lambda start, end: tab.touch(start, end, hold=0.4)),
    )
    for part, name, move in moves:
        move(scene.center(tab, part), column(name))
        scene.wait(lambda: scene.stored(scene.items[0])["column"] == name, f"moved by {part} to {name}")
        scene.wait_equal()
        assert tab.evaluate("getSelection().isCollapsed"), f"{part} to {name} selects a text"


def told(scene):
    "a screen reader is told of the keys, and a narrow window has them too"
    tab = scene.open(size=(400, 800))
    nodes = tab.call("Accessibility.getFullAXTree")["nodes"]
    cards = [node for node in nodes if node.get("role", {}).get("value") == "listitem"
             and node.get("name", {}).get("value") == "Item 1, To do"]
    assert len(cards) == 1, [node.get("name") for node in nodes]
    description = cards[0].get("description", {}).get("value", "")
    assert "Enter edits" in description and "Delete removes" in description, description
    unnamed = [node for node in nodes if node.get("role", {}).get("value") == "button" and not node["ignored"]
               and not node.get("name", {}).get("value")]
    assert not unnamed, unnamed
    assert not scene.is_shown(tab, ".hint li")
    tab.evaluate("document.querySelector('.hint summary').focus()")
    tab.key("Enter")
    scene.wait(lambda: scene.is_shown(tab, ".hint li"), "the keys")
    assert tab.evaluate("document.documentElement.scrollWidth") == 400
    tab.resize(1300, 800)
    scene.wait(lambda: not scene.is_shown(tab, ".hint summary") and scene.is_shown(tab, ".hint li"), "the keys")


TESTS = [undone, held, told]
