"""The service as a process, and requests to it. Python's standard library only."""

import http.client
import json
import os
import re
import signal
import subprocess
import tempfile
import threading

EXAMPLE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def built(path=None, configuration="debug"):
    """The program of the service; it is built first unless a path is given."""
    if path:
        return path
    build = ["swift", "build", "-c", configuration]
    subprocess.run(build + ["--product", "LiveBoard"], check=True, cwd=EXAMPLE)
    shown = subprocess.run(build + ["--show-bin-path"], check=True, capture_output=True, text=True, cwd=EXAMPLE)
    return os.path.join(shown.stdout.strip(), "LiveBoard")


def in_order(items):
    """Items as a page shows them: the columns one after the other, each in its order."""
    items = sorted(items, key=lambda item: (item["rank"], item["id"]))
    return [[c, item["text"]] for c in ("todo", "doing", "done") for item in items if item["column"] == c]


class Service:
    """A process of the service: made with a database of its own, started and ended as often as wanted."""

    def __init__(self, program, *options, database=None, log=None, files=None):
        self.program = program
        # A test has one address, and may ask as fast as it can; an option of the test comes behind these.
        unlimited = [word for name in ("requests", "writes", "boards") for word in (f"--{name}-per-address", "0")]
        self.options = unlimited + [str(option) for option in options]
        self.folder = tempfile.TemporaryDirectory(prefix="liveboard-")
        self.database = database or os.path.join(self.folder.name, "board.sqlite")
        self.log = log or os.path.join(self.folder.name, "service.log")
        # The number of files that the system lets the process have open.
        self.files = files
        self.port = 0
        self.process = None

    def start(self):
        log = open(self.log, "a")
        limit = ["sh", "-c", f'ulimit -n {self.files}; exec "$0" "$@"'] if self.files else []
        self.process = subprocess.Popen(
            [*limit, self.program, "--port", str(self.port), "--database", self.database, *self.options],
            stdout=subprocess.PIPE, stderr=log, text=True, cwd=self.folder.name)
        log.close()
        for line in self.process.stdout:
            found = re.search(r"http://[^:]+:(\d+)", line)
            if found:
                self.port = int(found.group(1))
                break
        else:
            raise RuntimeError(f"the service ended at once:\n{open(self.log).read()[-2000:]}")
        # What it prints later must not fill the pipe.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        return self

    def end(self, by=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(by)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return self

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def request(self, method, path, body=None, timeout=10):
        """Sends a request; returns the status and the JSON of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            headers = {} if body is None else {"Content-Type": "application/json"}
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            text = response.read()
            return response.status, json.loads(text) if text[:1] in (b"{", b"[") else text
        finally:
            connection.close()

    def make(self, board, title):
        return self.request("POST", "/api/boards", {"id": board, "title": title})

    def snapshot(self, board):
        status, answer = self.request("GET", f"/api/boards/{board}")
        assert status == 200, (status, answer)
        return answer

    def items(self, board):
        """The items as a page shows them."""
        return in_order(self.snapshot(board)["items"])

    def add(self, board, text, column="todo", rank=None):
        body = {"text": text, "column": column} | ({} if rank is None else {"rank": rank})
        status, answer = self.request("POST", f"/api/boards/{board}/items", body)
        assert status == 201, (status, answer)
        return answer["id"]

    def change(self, board, item, **parts):
        return self.request("PATCH", f"/api/boards/{board}/items/{item}", parts)

    def remove(self, board, item):
        return self.request("DELETE", f"/api/boards/{board}/items/{item}")
