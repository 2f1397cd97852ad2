"""The pictures of the README."""

import os
import signal
import time

import devtools

ITEMS = {
    "todo": ["Ask the neighbours for chairs", "Lights for the apple tree", "Who brings a cake?",
             "A plan for rain: the garage, or the Millers’ barn"],
    "doing": ["Invitations: 14 of 20 have said yes", "Find the long tablecloth"],
    "done": ["The date: 12 July", "Borrow the big grill", "A playlist that offends nobody"],
}
EDITED = "Ask the neighbours for chairs"


def take(browser, service, folder):
    os.makedirs(folder, exist_ok=True)
    service.start()
    try:
        narrow = devtools.Tab(browser, service.url, size=(400, 480))
        settle()
        save(folder, "empty-400.png", narrow)
        service.make("garden", "Summer garden party")
        narrow.go(service.url + "/boards/garden")
        settle()
        save(folder, "empty-board-400.png", narrow)
        narrow.go(service.url + "/boards/winter")
        settle()
        save(folder, "not-found-400.png", narrow)
        service.make("kitchen", "A new kitchen")
        service.make("release", "Release 2.0")
        ids = {text: service.add("garden", text, column) for column in ITEMS for text in ITEMS[column]}
        url = service.url + "/boards/garden"
        first = devtools.Tab(browser, url, size=(640, 620))
        settle()
        service.change("garden", ids["Who brings a cake?"], text="Cake: Ana brings two")
        service.change("garden", ids["Find the long tablecloth"], column="done")
        service.add("garden", "Buy charcoal", "doing")
        late = devtools.Tab(browser, url, size=(640, 620))
        settle()
        # The first one is amid an edit when another changes the same item.
        first.evaluate(f"document.querySelector('[data-id=\"{ids[EDITED]}\"]').focus()")
        first.key("Enter")
        first.type(", and the deacon’s")
        service.change("garden", ids[EDITED], text="Chairs: the Millers lend 12")
        settle()
        save(folder, "first-browser.png", first)
        save(folder, "late-browser.png", late)
        for scheme in ("light", "dark"):
            late.prefer(prefers_color_scheme=scheme)
            late.resize(1300, 640)
            settle()
            save(folder, f"{scheme}-1300.png", late)
            late.resize(400, 860)
            settle()
            save(folder, f"{scheme}-400.png", late)
        narrow.go(service.url)
        settle()
        save(folder, "boards-400.png", narrow)
        late.prefer(prefers_color_scheme="light")
        service.process.send_signal(signal.SIGSTOP)
        while late.evaluate("liveBoard.light") != "no answer":
            time.sleep(1)
        settle()
        save(folder, "silent-400.png", late)
    finally:
        service.process.send_signal(signal.SIGCONT)
        service.end()


def settle():
    time.sleep(2.5)


def save(folder, name, tab):
    picture = tab.screenshot()
    assert len(picture) <= 120_000, f"{name} has {len(picture)} bytes"
    with open(os.path.join(folder, name), "wb") as file:
        file.write(picture)
