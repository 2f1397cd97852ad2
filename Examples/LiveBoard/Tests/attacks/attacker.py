"""Attackers that are processes of their own: `attacker.py NAME PORT ADDRESS …`. Each prints what it did."""

import asyncio
import json
import os
import resource
import socket
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "chaos"))

from client import Client, deaf  # noqa: E402


async def unread(port, address, path, count, rate=1_000):
    """Opens requests for a board that are never read, with a change of an item between each two."""
    # The changes come from other addresses, so that their rates do not slow this one.
    writers = [Client(port, f"127.9.{address.split('.')[3]}.{n}") for n in range(1, 11)]
    sockets = []
    start = time.monotonic()
    for number in range(count):
        await asyncio.sleep(start + number / rate - time.monotonic())
        try:
            sockets.append(await deaf(port, address, path))
            await writers[number % 10].send("PATCH", "/api/boards/big/items/i1", {"rank": number}, timeout=30)
        except (OSError, EOFError, asyncio.TimeoutError):
            # Closed by the service, which may do that.
            pass
    for writer in writers:
        writer.close()
    return sockets


async def hold(port, address, path, count, rate):
    """Does `unread` when it gets a line, and keeps it for as long as the process runs."""
    sys.stdin.readline()
    sockets = await unread(port, address, path, count, rate)
    print(len(sockets), flush=True)
    await asyncio.Event().wait()


async def hurry(port, address, seconds, item):
    """Writes and reads for some seconds, as fast as it can."""
    counts = {"PATCH": 0, "GET": 0, "429": 0, "without Retry-After": 0, "other": 0}
    start = time.monotonic()

    async def requests(method, path, body):
        client = Client(port, address)
        while time.monotonic() < start + seconds:
            try:
                status, fields, _ = await client.send(method, path, body)
            except (OSError, EOFError, asyncio.TimeoutError):
                status, fields = 0, {}
            counts[method if status == 200 else "429" if status == 429 else "other"] += 1
            counts["without Retry-After"] += status == 429 and "retry-after" not in fields

    path = "/api/boards/board"
    await asyncio.gather(*(requests("PATCH", f"{path}/items/{item}", {"rank": 1}) for _ in range(4)),
                         *(requests("GET", path, None) for _ in range(4)))
    print(json.dumps(counts | {"seconds": time.monotonic() - start}))


async def flood(port, address, rate, seconds):
    """Opens connections and asks for nothing; each is kept for five seconds."""
    start, opened = time.monotonic(), []
    first = 0
    while (now := time.monotonic() - start) < seconds:
        while len(opened) < now * rate:
            connection = socket.socket()
            connection.setblocking(False)
            connection.bind((address, 0))
            connection.connect_ex(("127.0.0.1", port))
            opened.append(connection)
        while first < (now - 5) * rate:
            opened[first].close()
            first += 1
        await asyncio.sleep(0.01)
    print(len(opened))


if __name__ == "__main__":
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    name, port, address, *rest = sys.argv[1:]
    rest = [int(argument) if argument.isdigit() else argument for argument in rest]
    asyncio.run({"hold": hold, "hurry": hurry, "flood": flood}[name](int(port), address, *rest))
