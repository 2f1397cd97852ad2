"""A service that does not answer, and does not say so."""

import signal
import socket
import threading
import time


class Link:
    """A proxy of TCP that can drop packets: no byte passes, and neither end is told."""

    def __init__(self, port):
        self.target = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.passing = threading.Event()
        self.passing.set()
        # The number of the last drop: connections from before it are forgotten for good.
        self.drops = 0
        self.sockets = []
        self.start(self.accept)

    def start(self, action, *arguments):
        threading.Thread(target=action, args=arguments, daemon=True).start()

    def accept(self):
        while True:
            self.passing.wait()
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.passing.wait()
            service = socket.create_connection(("127.0.0.1", self.target))
            self.sockets += [client, service]
            self.start(self.forward, client, service, self.drops)
            self.start(self.forward, service, client, self.drops)

    def forward(self, source, target, drops):
        try:
            while data := source.recv(65536):
                if drops != self.drops:
                    return
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def drop(self):
        self.passing.clear()
        self.drops += 1

    def forward_again(self):
        self.passing.set()

    def close(self):
        for each in [self.listener, *self.sockets]:
            each.close()


def silent(scene):
    "(slow) a service stopped by a signal, a link that drops packets, and a quiet page that stays live"
    stopped, link = scene.another(), Link(scene.service.port)
    try:
        tab, held, quiet = scene.open(url=link.url), stopped.open(), scene.open()
        for page, item in ((tab, scene.items.pop(0)), (quiet, scene.items.pop(0))):
            scene.focus(page, item)
            page.key("Delete")
            scene.wait(lambda: scene.is_shown(page, ".toast"), "a way back")
        quiet.evaluate("document.querySelector('.toast button').focus()")
        quiet.evaluate("""{ const state = document.querySelector('[data-part=state]'); globalThis.lights = [];
            new MutationObserver(() => lights.push(state.textContent))
                .observe(state, { childList: true, characterData: true, subtree: true }); }""")
        scene.wait_equal()
        start = time.monotonic()
        link.drop()
        stopped.service.process.send_signal(signal.SIGSTOP)
        # The way back stays for 20 seconds, and longer while it has the focus.
        time.sleep(17)
        assert scene.is_shown(tab, ".toast"), "the way back went early"
        time.sleep(5)
        assert not scene.is_shown(tab, ".toast"), "the way back stays"
        for scene_, page in ((scene, tab), (stopped, held)):
            scene_.wait_light(page, "no answer", seconds=30)
            assert 30 < time.monotonic() - start < 50, time.monotonic() - start
            assert "40 seconds" in page.evaluate("document.querySelector('.light').title")
            scene_.wait(lambda: scene_.text(page, "[data-part=status]") == "no answer", "that it is spoken")
        time.sleep(max(0, start + 46 - time.monotonic()))
        assert quiet.evaluate("lights") == [], quiet.evaluate("lights")
        assert scene.is_shown(quiet, ".toast"), "the way back went with the focus in it"
        quiet.evaluate("document.activeElement.blur()")
        scene.change(20)
        for scene_, page in ((scene, tab), (stopped, held)):
            assert scene_.light(page) == "no answer", scene_.light(page)
        link.forward_again()
        stopped.service.process.send_signal(signal.SIGCONT)
        stopped.change(20)
        for scene_, page in ((scene, tab), (stopped, held)):
            scene_.wait(lambda: scene_.light(page) == "live", "live", 40)
        stopped.check()
        scene.wait_equal()
        assert not scene.is_shown(quiet, ".toast"), "the way back stays"
    finally:
        stopped.service.process.send_signal(signal.SIGCONT)
        stopped.close()
        link.close()


TESTS = [silent]
