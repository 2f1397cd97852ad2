"""Boards that are made and removed, addresses at which there is none, and what is refused."""

import time

import devtools
from scene import BOARD


def removed(scene):
    "a board that is removed: on its page, on others, and on one that was hidden"
    window = scene.browser.window()
    hidden, other, tab = scene.open(window), scene.open(), scene.open()
    front = devtools.Tab(scene.browser, "about:blank", window)
    front.front()
    scene.wait_light(hidden, "paused")
    other.evaluate("document.querySelector('[data-column=doing] input').focus()")
    other.type("Half a thought")
    tab.evaluate("document.querySelector('[data-part=remove-board]').focus()")
    tab.key("Enter")
    scene.wait(lambda: scene.is_shown(tab, "dialog"), "the question")
    assert "Summer garden party" in scene.text(tab, "dialog h2"), scene.text(tab, "dialog h2")
    assert "10 items" in scene.text(tab, "dialog p") and "everybody" in scene.text(tab, "dialog p")
    focused = lambda: tab.evaluate("document.activeElement.textContent.trim() || document.activeElement.ariaLabel")
    assert focused() == "Cancel", focused()
    # The keys of the board do nothing behind the question.
    tab.key("Escape")
    scene.wait(lambda: not scene.is_shown(tab, "dialog"), "the end of the question")
    assert focused() == "Remove this board", focused()
    assert len(scene.service.items(BOARD)) == 10
    tab.key("Enter")
    tab.key("Tab", shift=True)
    assert focused() == "Remove for everybody", focused()
    tab.key("Enter")
    scene.wait(lambda: tab.evaluate("location.pathname") == "/", "the list of boards")
    scene.wait(lambda: scene.is_shown(tab, ".empty"), "an empty list")
    assert scene.service.request("GET", f"/api/boards/{BOARD}")[0] == 404
    front.close()
    hidden.front()
    for page in (other, hidden):
        scene.wait(lambda: is_message(scene, page, "This board was removed."), "that it was removed")
    assert scene.text(other, "h1") == "Summer garden party"
    assert scene.text(other, ".message li") == "Half a thought"
    asked = requests(other)
    time.sleep(3)
    assert requests(other) == asked, "a page of a removed board goes on connecting"
    scene.tabs = []
    for page in (tab, other, hidden):
        assert not page.complaints(), page.complaints()
        page.close()


def nowhere(scene):
    "addresses at which there is nothing, for a person"
    tab = devtools.Tab(scene.browser, scene.service.url, size=(400, 800))
    nothing = "There is nothing at this address."
    for path, text, can_make in (
            ("/nothing", nothing, False),
            ("/boards/%E0%A4%A", nothing, False),
            ("/boards/No%20Such", "There is no board “No Such”.", False),
            ("/boards/" + "x" * 41, f"There is no board “{'x' * 41}”.", False),
            ("/boards/nothing", "There is no board “nothing”.", True)):
        tab.go(scene.service.url + path)
        scene.wait(lambda: is_message(scene, tab, text), f"{path}; {scene.text(tab, 'body')}")
        assert scene.is_shown(tab, "[data-part=make]") == can_make, path
        assert tab.evaluate("document.documentElement.scrollWidth") == 400, path
        assert not tab.complaints(), (path, tab.complaints())
    asked = requests(tab)
    time.sleep(2)
    assert requests(tab) == asked, "a page without a board goes on connecting"
    tab.evaluate("document.querySelector('[data-part=make]').click()")
    scene.wait_live(tab)
    assert scene.text(tab, "h1") == "nothing" and scene.is_shown(tab, ".columns")
    tab.close()


def titled(scene):
    "titles and texts that are not English"
    tab = devtools.Tab(scene.browser, scene.service.url, size=(400, 800))
    make(tab, scene, "夏祭り", "/boards/board-[a-z0-9]{6}$")
    assert scene.text(tab, "h1") == "夏祭り"
    tab.go(scene.service.url)
    make(tab, scene, "El señor José", "/boards/el-senor-jose$")
    tab.go(scene.service.url)
    make(tab, scene, "מסיבת גן", "/boards/board-[a-z0-9]{6}$")
    tab.evaluate("document.querySelector('[data-column=todo] input').focus()")
    tab.type("לקנות פחם")
    direction = lambda selector: tab.evaluate(f"getComputedStyle(document.querySelector('{selector}')).direction")
    assert direction("[data-column=todo] input") == "rtl"
    tab.key("Enter")
    scene.wait(lambda: scene.text(tab, ".item .text") == "לקנות פחם", "the item")
    assert direction(".item .text") == "rtl" and direction("h1") == "rtl"
    assert direction("[data-column=todo] input") == "ltr"
    assert not tab.complaints(), tab.complaints()
    tab.close()


def refused(scene):
    "errors in plain words beside what caused them"
    tab = scene.open()
    long = "é" * 1_100
    for field, error in (("[data-column=todo] input", "[data-column=todo] form .error"),
                         (".editor textarea", ".editor .error")):
        if "editor" in field:
            scene.focus(tab, scene.items[0])
            tab.key("Enter")
        tab.evaluate(f"document.querySelector('{field}').select()")
        tab.type(long)
        tab.key("Enter")
        scene.wait(lambda: "2200 bytes" in (scene.text(tab, error) or ""), f"the error; {scene.text(tab, error)}")
        assert tab.evaluate(f"document.querySelector('{field}').value") == long
    tab.key("Escape")
    listed = devtools.Tab(scene.browser, scene.service.url)
    scene.wait(lambda: scene.text(listed, ".board-list") == "Summer garden party", "the list")
    listed.evaluate("document.querySelector('#board-name').focus()")
    listed.type("Summer: garden!")
    listed.key("Enter")
    scene.wait(lambda: listed.evaluate("location.pathname") == "/boards/summer-garden", "a new board")
    assert not listed.complaints(), listed.complaints()
    listed.close()


def make(tab, scene, title, address):
    scene.wait(lambda: scene.is_shown(tab, "#board-name"), "the list of boards")
    tab.evaluate("document.querySelector('#board-name').focus()")
    tab.type(title)
    tab.key("Enter")
    scene.wait(lambda: tab.evaluate(f"/{address.replace('/', chr(92) + '/')}/.test(location.pathname)"), lambda: (
        f"{address}; {tab.evaluate('location.pathname')}: {scene.text(tab, '#board-error')}"))
    scene.wait_live(tab)


def is_message(scene, tab, text):
    """Whether a page says this, with a link to the boards, and has nothing to type in and no light."""
    return scene.text(tab, ".message h2") == text and tab.evaluate(
        "document.querySelector('.message a').pathname === '/' && !document.querySelector('.columns, input, .light')")


def requests(tab):
    tab.evaluate("1")
    return sum(event["method"] == "Network.requestWillBeSent" and event["sessionId"] == tab.session
               for event in tab.browser.events)


TESTS = [removed, nowhere, titled, refused]
