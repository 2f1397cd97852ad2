"""A service with one board, and the pages that show it."""

import json
import time

import devtools
from service import Service

BOARD = "garden"


class Scene:
    """A service with one board, and the pages that show it."""

    def __init__(self, browser, service, options):
        self.browser, self.service, self.options = browser, service.start(), options
        self.tabs = []
        self.number = 0
        service.make(BOARD, "Summer garden party")
        self.items = [service.add(BOARD, f"Item {n}", column)
                      for n, column in enumerate(["todo"] * 4 + ["doing"] * 3 + ["done"] * 3)]

    def another(self):
        """Another service with a board of its own."""
        return Scene(self.browser, Service(self.service.program, *self.service.options), self.options)

    def open(self, window=None, waiting=True, url=None, **more):
        tab = devtools.Tab(self.browser, f"{url or self.service.url}/boards/{BOARD}", window, **more)
        self.tabs.append(tab)
        if waiting:
            self.wait_live(tab)
            self.wait_equal([tab])
        return tab

    def change(self, count, length=0):
        """Changes items: texts, places, new ones and removed ones."""
        for _ in range(count):
            self.number += 1
            at = self.number % len(self.items)
            kind = self.number % 7
            if kind == 0:
                self.service.remove(BOARD, self.items.pop(at))
            elif kind in (1, 2):
                self.items.append(self.service.add(BOARD, f"New {self.number}" + "." * length, "doing"))
            elif kind == 3:
                self.service.change(BOARD, self.items[at], column="done", rank=self.number / 3)
            elif kind == 4:
                self.service.change(BOARD, self.items[at], rank=-self.number / 2)
            else:
                self.service.change(BOARD, self.items[at], text=f"Text {self.number}" + "." * length)

    def wait(self, condition, what, seconds=15):
        end = time.monotonic() + seconds
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"not in {seconds} s: {what() if callable(what) else what}")
            time.sleep(0.05)

    def light(self, tab):
        return tab.evaluate("globalThis.liveBoard?.light")

    def wait_light(self, tab, *lights, seconds=15):
        self.wait(lambda: self.light(tab) in lights, lambda: f"{lights}; the light is {self.light(tab)}", seconds)

    def wait_live(self, tab):
        self.wait(lambda: (self.light(tab) or "").split()[0:1] in (["live"], ["missed"]), "live")

    def wait_equal(self, tabs=None):
        """Waits until pages show what the database has."""
        for tab in tabs or self.tabs:
            self.wait(lambda: tab.evaluate("liveBoard.shown") == self.service.items(BOARD), lambda: (
                f"equal; shown {tab.evaluate('liveBoard.shown')}, stored {self.service.items(BOARD)}"))

    def check(self):
        self.wait_equal()
        for tab in self.tabs:
            complaints = tab.complaints()
            assert not complaints, complaints

    def center(self, tab, selector):
        """The middle of an element that has come to rest."""
        self.wait(lambda: tab.evaluate("document.getAnimations().length") == 0, "at rest")
        return tab.evaluate(f"""(() => {{ const r = document.querySelector({json.dumps(selector)})
            .getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] }})()""")

    def is_shown(self, tab, selector):
        return tab.evaluate(f"document.querySelector({json.dumps(selector)})?.checkVisibility() ?? false")

    def focus(self, tab, item):
        tab.evaluate(f"document.querySelector('[data-id=\"{item}\"]').focus()")

    def text(self, tab, selector):
        return tab.evaluate(f"document.querySelector({json.dumps(selector)})?.textContent")

    def stored(self, item):
        return next((i for i in self.service.snapshot(BOARD)["items"] if i["id"] == item), None)

    def close(self):
        for tab in self.tabs:
            tab.close()
        self.service.end()
