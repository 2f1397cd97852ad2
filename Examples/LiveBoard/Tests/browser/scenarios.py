"""What happens to pages, each as a function of a scene."""

import json
import signal
import socket
import time

import devtools
import service
from scene import BOARD


def late(scene):
    "a late browser"
    first = scene.open()
    scene.change(40)
    second = scene.open()
    scene.wait_equal()
    second.evaluate("document.querySelector('[data-column=todo] input').focus()")
    second.type("From the late one")
    second.key("Enter")
    shown = ["todo", "From the late one"]
    scene.wait(lambda: shown in first.evaluate("liveBoard.shown"), "the item of the late browser")
    scene.wait(lambda: second.evaluate("document.activeElement.value") == "", "an empty field")


def reloaded(scene):
    "reload, also amid changes"
    tab = scene.open()
    for _ in range(5):
        scene.change(5)
        tab.reload()
        scene.change(5)
        scene.wait_live(tab)
        scene.wait_equal()


def asleep(scene):
    "a tab asleep"
    window = scene.browser.window()
    tab, other = scene.open(window), scene.open()
    # A browser freezes only tabs that are behind another one.
    front = devtools.Tab(scene.browser, "about:blank", window)
    front.front()
    tab.lifecycle("frozen")
    end = time.monotonic() + scene.options.asleep
    while time.monotonic() < end:
        scene.change(20)
        scene.wait_equal([other])
        time.sleep(min(1, scene.options.asleep / 10))
    tab.lifecycle("active")
    front.close()
    tab.front()
    scene.wait_live(tab)


def offline(scene):
    "offline and back, with what was typed"
    tab = scene.open()
    tab.offline(True)
    scene.wait_light(tab, "offline", "connecting")
    tab.evaluate("document.querySelector('[data-column=doing] input').focus()")
    tab.type("Typed without a network")
    tab.key("Enter")
    scene.wait(lambda: "no connection" in scene.text(tab, "[data-column=doing] form .error"), "an error")
    assert tab.evaluate("document.activeElement.value") == "Typed without a network"
    scene.change(60)
    tab.offline(False)
    scene.wait_live(tab)
    scene.wait_equal()
    assert tab.evaluate("document.activeElement.value") == "Typed without a network"
    tab.key("Enter")
    scene.wait(lambda: ["doing", "Typed without a network"] in scene.service.items(BOARD), "the item")


def read_state(raw, received={}):
    """The items that an event stream shows, with what can be read from its socket now."""
    data = received.setdefault(raw, bytearray())
    raw.settimeout(1)
    try:
        while chunk := raw.recv(65536):
            data += chunk
    except TimeoutError:
        pass
    # A chunk's length stands in a line of its own, which no event looks like.
    lines = [line for line in bytes(data).split(b"\r\n\r\n", 1)[1].split(b"\r\n")][1::2]
    items = {}
    for event in b"".join(lines).decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in event.split("\n") if line[:1] not in ("", ":"))
        change = json.loads(fields.get("data", "{}"))
        if fields.get("event") == "snapshot":
            items = {item["id"]: item for item in change["items"]}
        elif "item" in change:
            items[change["item"]["id"]] = change["item"]
        elif "removed" in change:
            items.pop(change["removed"], None)
    return service.in_order(items.values())


def stalled(scene):
    "a stream that does not read, and a tab whose script is blocked"
    tab, other = scene.open(), scene.open()
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", scene.service.port))
    raw.sendall(f"GET /api/boards/{BOARD}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    tab.start("{ const end = Date.now() + 8000; while (Date.now() < end); }")
    latest = 0
    for number in range(12):
        scene.change(100, length=400)
        start = time.monotonic()
        scene.service.add(BOARD, f"Now {number}", "todo")
        scene.wait(lambda: ["todo", f"Now {number}"] in other.evaluate("liveBoard.shown"), "the others live")
        latest = max(latest, time.monotonic() - start)
    assert latest < 2, f"another tab had a change {latest:.2f} s late"
    scene.wait_equal([other])
    tab.evaluate("1", timeout=20)
    scene.wait(lambda: read_state(raw) == scene.service.items(BOARD), "the stream that now reads, equal")
    raw.close()


def ten_tabs(scene):
    "ten tabs of one window, and ten browsers"
    window = scene.browser.window()
    tabs = [scene.open(window, waiting=False) for _ in range(10)]
    browsers = [scene.open() for _ in range(10)]
    scene.change(30)
    scene.wait_equal(browsers)
    for tab in tabs:
        tab.front()
        scene.wait_live(tab)
        scene.wait_equal([tab])
        scene.change(3)
    for tab in tabs:
        tab.front()
        scene.wait_equal([tab])
    scene.tabs = browsers
    scene.wait_equal()
    for tab in tabs:
        tab.close()


def restarted(scene):
    "a service that ends, is killed, and starts with a new database"
    tab = scene.open()
    for by in (signal.SIGTERM, signal.SIGKILL):
        scene.service.end(by)
        scene.wait_light(tab, "connecting")
        scene.service.start()
        scene.change(20)
        scene.wait_live(tab)
        scene.wait_equal()
    scene.service.end()
    # At another port first: the page must not come while there is no board.
    scene.service.database += ".new"
    port, scene.service.port = scene.service.port, 0
    scene.service.start()
    scene.service.make(BOARD, "Another board")
    scene.service.end()
    scene.service.port = port
    scene.service.start()
    scene.items = [scene.service.add(BOARD, f"Other {n}") for n in range(3)]
    scene.wait(lambda: (scene.light(tab) or "").startswith("missed"), "missed")


def keyboard(scene):
    "everything by keyboard"
    tab, other = scene.open(), scene.open()
    item = scene.items[1]
    scene.focus(tab, item)
    focused = lambda: tab.evaluate("document.activeElement.dataset.id")
    tab.key("ArrowDown")
    assert focused() == scene.items[2]
    tab.key("ArrowRight")
    assert focused() == scene.items[6], focused()
    scene.focus(tab, item)
    for key, column, index in (("ArrowDown", "todo", 2), ("ArrowRight", "doing", 2), ("ArrowUp", "doing", 1),
                               ("ArrowRight", "done", 1), ("ArrowLeft", "doing", 1)):
        tab.key(key, shift=True)
        scene.wait(lambda: (scene.stored(item)["column"] == column and [
            text for c, text in scene.service.items(BOARD) if c == column].index("Item 1") == index),
            lambda: f"{key} to {column} {index}; {scene.service.items(BOARD)}")
        assert focused() == item, "the moved item has lost the focus"
    scene.wait_equal()
    tab.key("Enter")
    tab.type(", edited")
    tab.key("Enter")
    scene.wait(lambda: scene.stored(item)["text"] == "Item 1, edited", "the edit")
    scene.wait(lambda: focused() == item, "the focus on the edited item")
    tab.key("n")
    tab.type("By keyboard")
    tab.key("Enter")
    scene.wait(lambda: ["doing", "By keyboard"] in scene.service.items(BOARD), "the new item")
    scene.focus(tab, item)
    tab.key("Delete")
    scene.wait(lambda: scene.stored(item) is None, "the removal")
    scene.wait(lambda: focused() in scene.items, "the focus on another item")
    scene.wait(lambda: not tab.evaluate("document.querySelector('.toast').hidden"), "a way back")
    tab.evaluate("document.querySelector('.toast button').click()")
    scene.wait(lambda: ["doing", "Item 1, edited"] in scene.service.items(BOARD), "the item again")
    scene.wait_equal([other])


def dragged(scene):
    "dragging by mouse, and a drag that Escape ends"
    tab, other = scene.open(), scene.open()
    one, two = (f'[data-id="{item}"]' for item in (scene.items[0], scene.items[5]))
    x, y = scene.center(tab, two)
    tab.drag(scene.center(tab, one), (x, y - 8))
    scene.wait(lambda: scene.stored(scene.items[0])["column"] == "doing", "the item in its new column")
    columns = [text for column, text in scene.service.items(BOARD) if column == "doing"]
    assert columns.index("Item 0") == columns.index("Item 5") - 1, columns
    scene.wait_equal()
    before = scene.service.items(BOARD)
    tab.drag(scene.center(tab, one), (900, 120), drop=False)
    # Changes meanwhile do not take the item out of the hand.
    scene.change(10)
    scene.wait_equal([other])
    assert tab.evaluate(f"document.querySelector('{one}').classList.contains('dragging')")
    tab.key("Escape")
    tab.mouse("mouseReleased", 900, 120)
    scene.wait_equal()
    assert before != scene.service.items(BOARD)


def editing(scene):
    "an item that others move, change and remove while it is edited"
    tab = scene.open()
    item, other = scene.items[0], scene.items[1]
    scene.focus(tab, item)
    tab.key("Enter")
    tab.type(", half a sen")
    tab.evaluate("globalThis.typed = document.activeElement")
    typed = lambda: tab.evaluate("[document.activeElement === typed, typed.isConnected, typed.value]")
    news = lambda: scene.text(tab, ".editor .news") or ""
    steps = [
        ("", lambda: [scene.service.add(BOARD, f"Above {n}", "todo", -n) for n in range(5)]),
        ("", lambda: scene.service.change(BOARD, item, rank=100)),
        ("moved it to Done", lambda: scene.service.change(BOARD, item, column="done")),
        ("changed it to “Of another”", lambda: scene.service.change(BOARD, item, text="Of another")),
        ("removed this item", lambda: scene.service.remove(BOARD, item)),
    ]
    for number, (told, act) in enumerate(steps):
        act()
        scene.service.change(BOARD, other, text=f"Step {number}")
        scene.wait(lambda: ["todo", f"Step {number}"] in tab.evaluate("liveBoard.shown"), "the step")
        assert told in news() and bool(told) == bool(news()), (told, news())
        assert typed() == [True, True, "Item 0, half a sen"], typed()
    tab.type("tence")
    tab.key("Enter")
    scene.wait(lambda: ["todo", "Item 0, half a sentence"] in scene.service.items(BOARD)
               or ["done", "Item 0, half a sentence"] in scene.service.items(BOARD), "what was typed")


def crowded(scene):
    "more event streams than an address may have"
    scene.service.end()
    scene.service.options += ["--streams-per-address", "1"]
    scene.service.start()
    first, second = scene.open(), scene.open(waiting=False)
    scene.wait(lambda: "event streams open" in (scene.text(second, ".notice[role=alert]") or ""), "the reason")
    scene.tabs.remove(first)
    first.close()
    scene.change(5)
    scene.wait_live(second)
    assert second.evaluate("document.querySelector('.notice[role=alert]').hidden")


def forgotten(scene):
    "a tab that comes back behind more changes than the service keeps"
    scene.service.end()
    scene.service.options += ["--kept", "10"]
    scene.service.start()
    window = scene.browser.window()
    tab = scene.open(window)
    front = devtools.Tab(scene.browser, "about:blank", window)
    front.front()
    scene.wait_light(tab, "paused")
    scene.change(300)
    front.close()
    tab.front()
    scene.wait_light(tab, "missed 300")


TESTS = [late, reloaded, asleep, offline, stalled, ten_tabs, restarted, keyboard, dragged, editing, crowded,
         forgotten]
