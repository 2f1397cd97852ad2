"""An event stream's client: it applies events as the page does, and comes back with its last id."""

import asyncio

from wire import Closed, Refused, Requests, events


def state(item):
    return item["text"], item["column"], float(item["rank"])


class Stream:
    def __init__(self, name, board, cluster, random, model, is_slow, is_naive):
        self.name, self.board, self.cluster, self.random, self.model = name, board, cluster, random, model
        self.is_slow, self.is_naive = is_slow, is_naive
        self.items = {}
        self.last = None
        self.is_live = False
        # The ids of changes since the last snapshot: none may come twice.
        self.seen = set()
        self.connections = 0
        self.told = self.needed = 0
        self.faults = []

    async def run(self):
        while True:
            process = self.random.choice(self.cluster.processes)
            try:
                await self.follow(process)
            except (Closed, Refused, OSError, asyncio.TimeoutError):
                pass
            self.is_live = False
            await asyncio.sleep(self.random.uniform(0.2, 1))

    async def follow(self, process):
        path = f"/api/boards/{self.board}/events"
        if self.is_naive:
            # History first, and then what is live: a stream without an id, of which only the changes are taken.
            requests = Requests()
            try:
                status, answer = await requests.send(process.port, "GET", f"/api/boards/{self.board}", timeout=5)
            finally:
                requests.close()
            if status != 200:
                raise Refused(status, answer)
            self.replace(answer["items"])
            # The time that a page needs to show what it has read.
            await asyncio.sleep(0.03)
        elif self.last:
            path += f"?after={self.last}"
        gap = None if self.is_naive or not self.last else process.has_gap(self.board, self.last)
        self.connections += 1
        asked, is_first = self.last, True
        clock = asyncio.get_running_loop().time
        pause, leave = clock() + self.random.uniform(5, 20), clock() + self.random.uniform(5, 60)
        async for name, id, data in events(process.port, path):
            if gap and is_first and name != "missed":
                self.fault(f"came back with {asked}, which is gone, and was told {name}, not missed")
            if name == "missed":
                self.missed(process, gap if is_first else None)
            is_first = False
            if self.apply(name, id, data) or (clock() > leave and not self.is_slow):
                return
            if self.is_slow and clock() > pause:
                # It does not read for a while; the socket and the service's buffer for it fill.
                await asyncio.sleep(self.random.uniform(20, 50))
                pause = clock() + self.random.uniform(5, 20)

    def apply(self, name, id, data):
        """Applies an event as the page does; returns whether the stream has ended in good order."""
        if name == "snapshot" and not self.is_naive:
            self.replace(data["items"])
        elif name == "change":
            if id in self.seen:
                self.fault(f"{id} came twice")
            self.seen.add(id)
            if "item" in data:
                item = data["item"]
                self.compare(item["id"], state(item))
                self.items[item["id"]] = state(item)
            else:
                self.items.pop(data["removed"], None)
        elif name == "live":
            self.is_live = True
        elif name == "end":
            return True
        if id and not self.is_naive:
            self.last = id
        return False

    def replace(self, items):
        self.items = {item["id"]: state(item) for item in items}
        self.seen = set()

    def compare(self, item, new):
        """A state must not come twice, and no older one behind a newer one; the text ends with the write's number."""
        old = self.items.get(item)
        if old is None or self.is_naive or self.model.has_unknown(self.board, item):
            return
        if int(new[0].split()[1]) <= int(old[0].split()[1]):
            self.fault(f"item {item}: {new[0][:30]} came behind {old[0][:30]}")

    def missed(self, process, gap):
        self.told += 1
        self.is_live = False
        # What a process has forgotten it does not learn again, so a look behind the event is early enough.
        if gap or self.last is None or process.has_gap(self.board, self.last):
            self.needed += 1
        else:
            self.fault(f"was told of a gap behind {self.last}; the database of the process has {process.row(self.board)}")

    def fault(self, text):
        self.faults.append(f"stream {self.name}: {text}")
