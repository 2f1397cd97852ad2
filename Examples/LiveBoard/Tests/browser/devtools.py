"""Headless Chromium, driven by the DevTools protocol over its pipe. Python's standard library only."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find():
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next((path for path in map(shutil.which, names) if path), None)


class Failure(Exception):
    pass


class Browser:
    """A Chromium; each `window` of it is a browser of its own, without anything in common with the others."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(prefix="liveboard-browser-", ignore_cleanup_errors=True)
        to_read, to_write = os.pipe(), os.pipe()
        # The pipe's ends must be 3 and 4 in Chromium; high numbers first, so that none is overwritten.
        ours = [os.dup2(fd, 60 + i, inheritable=True) for i, fd in enumerate((to_write[0], to_read[1]))]
        script = 'exec 3<&60 4>&61; exec "$0" "$@"'
        self.process = subprocess.Popen(
            ["bash", "-c", script, program, "--headless=new", "--no-sandbox", "--disable-gpu",
             # A mouse that hovers, as a desk has.
             "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run", "--mute-audio",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             f"--user-data-dir={self.folder.name}", "--remote-debugging-pipe", "about:blank"],
            pass_fds=ours, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for fd in (*ours, to_write[0], to_read[1]):
            os.close(fd)
        self.input, self.output = to_write[1], to_read[0]
        self.received = b""
        self.answers = {}
        self.events = []
        self.number = 0

    def send(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.input, json.dumps(message).encode() + b"\0")
        return self.number

    def call(self, method, session=None, timeout=30, **parameters):
        number = self.send(method, session, **parameters)
        end = time.monotonic() + timeout
        while number not in self.answers:
            self.read(end - time.monotonic(), method)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise Failure(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def read(self, timeout, waiting_for):
        if timeout <= 0 or not select.select([self.output], [], [], timeout)[0]:
            raise Failure(f"Chromium did not answer {waiting_for} in time")
        data = os.read(self.output, 1 << 20)
        if not data:
            raise Failure("Chromium has ended")
        self.received += data
        *messages, self.received = self.received.split(b"\0")
        for message in map(json.loads, messages):
            if "id" in message:
                self.answers[message["id"]] = message
            else:
                self.events.append(message)

    def window(self):
        return self.call("Target.createBrowserContext")["browserContextId"]

    def close(self):
        try:
            self.call("Browser.close", timeout=5)
            self.process.wait(5)
        except (Failure, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()


class Tab:
    def __init__(self, browser, url, window=None, size=(1300, 800)):
        self.browser = browser
        self.window = window or browser.window()
        self.target = browser.call(
            "Target.createTarget", url="about:blank", browserContextId=self.window)["targetId"]
        self.session = browser.call(
            "Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.resize(*size)
        self.go(url)

    def call(self, method, timeout=30, **parameters):
        return self.browser.call(method, self.session, timeout, **parameters)

    def resize(self, width, height, scale=1, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=mobile)

    def prefer(self, **features):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def go(self, url):
        self.call("Page.navigate", url=url)

    def reload(self):
        self.call("Page.reload")

    def front(self):
        self.call("Page.bringToFront")

    def evaluate(self, script, timeout=30):
        answer = self.call("Runtime.evaluate", timeout, expression=script, returnByValue=True,
                           awaitPromise=True, userGesture=True)
        if "exceptionDetails" in answer:
            raise Failure(answer["exceptionDetails"].get("exception", {}).get("description", "a script failed"))
        return answer["result"].get("value")

    def start(self, script):
        """Starts a script without waiting for it."""
        self.browser.send("Runtime.evaluate", self.session, expression=script)

    def offline(self, is_offline):
        self.call("Network.emulateNetworkConditions", offline=is_offline, latency=0,
                  downloadThroughput=-1, uploadThroughput=-1)

    def lifecycle(self, state):
        self.call("Page.setWebLifecycleState", state=state)

    def key(self, key, shift=False, ctrl=False):
        codes = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13,
                 "Escape": 27, "Delete": 46, "Tab": 9, "n": 78, "z": 90}
        text = {"Enter": "\r", "n": "n"}.get(key)
        shared = dict(key=key, code=key, windowsVirtualKeyCode=codes[key], modifiers=8 * shift + 2 * ctrl)
        self.call("Input.dispatchKeyEvent", type="keyDown", **shared, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **shared)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def mouse(self, kind, x, y, button="left", pointer="mouse"):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=1, clickCount=1,
                  pointerType=pointer)

    def drag(self, start, end, steps=8, drop=True, pointer="mouse"):
        (x, y), (to_x, to_y) = start, end
        self.mouse("mousePressed", x, y, pointer=pointer)
        for step in range(1, steps + 1):
            self.mouse("mouseMoved", x + (to_x - x) * step / steps, y + (to_y - y) * step / steps, pointer=pointer)
        if drop:
            self.mouse("mouseReleased", to_x, to_y, pointer=pointer)

    def touch(self, start, end, hold=0, steps=8):
        """A finger that drags, after it has rested for some seconds."""
        (x, y), (to_x, to_y) = start, end
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        time.sleep(hold)
        for step in range(1, steps + 1):
            at = {"x": x + (to_x - x) * step / steps, "y": y + (to_y - y) * step / steps}
            self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[at])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def screenshot(self):
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def complaints(self):
        """What the page has complained of: errors of scripts, and of the content security policy."""
        kinds = ("Runtime.exceptionThrown", "Log.entryAdded")
        texts = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session or event["method"] not in kinds:
                continue
            entry = event["params"].get("entry")
            if entry is None:
                details = event["params"]["exceptionDetails"]
                texts.append(details.get("exception", {}).get("description", details["text"]))
            elif entry["level"] == "error" and entry["source"] != "network":
                texts.append(entry["text"])
        return texts
