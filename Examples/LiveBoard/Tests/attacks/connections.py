"""Connections that take places and do little."""

import asyncio
import time

from attack import Visitor, busy
from client import connect, head


async def files(attack):
    """a service that may have 400 files open, and 720 idle connections of three addresses"""
    service = attack.service(files=400)
    service.make("board", "Board")
    # Those that the service does not take stay in the queue of the system.
    idle = await asyncio.gather(
        *(connect(service.port, f"127.0.0.{2 + n % 3}") for n in range(720)), return_exceptions=True)
    await asyncio.sleep(1)
    add = ("POST", "/api/boards/board/items", {"text": "Item", "column": "todo"})
    async with Visitor(service.port, [("GET", "/health"), add], limit=2, interval=1) as visitor:
        part = await busy(service.process)
    visitor.report(attack)
    attack.at_most("the processor over five seconds", part, 20, "% of a core")
    told = [line for line in attack.log() if "files" in line]
    attack.check(f"the log tells of files: {told[:1]}", told)
    for connection in idle:
        if not isinstance(connection, BaseException):
            connection.close()


async def flood(attack):
    """one address opens 500 connections a second, with room for 1,000 in all"""
    service = attack.service("--connections", 1_000)
    attacker = attack.attacker("flood", service.port, "127.0.0.2", 500, 12)
    async with Visitor(service.port, [("GET", "/health")], limit=1) as visitor:
        opened = int(await asyncio.to_thread(attacker.stdout.readline))
    attack.say(f"it opened {opened} connections")
    visitor.report(attack)


async def slow_body(attack):
    """80 bodies and 80 heads, each at a byte every ten seconds"""
    service = attack.service()
    service.make("board", "Board")
    path = "/api/boards/board/items"
    body = head("POST", path, "Content-Type: application/json", "Content-Length: 100") + b"{"
    unended = {"bodies": body, "heads": head("GET", "/")[:-4] + b"\r\nX-Slow: "}

    async def trickle(number, text):
        """Returns the seconds until the service has ended the connection."""
        start = time.monotonic()
        connection = await connect(service.port, f"127.0.0.{number % 4 + 2}")
        reader, writer = await asyncio.open_connection(sock=connection)
        writer.write(text)
        end = asyncio.create_task(reader.read())
        while not end.done() and time.monotonic() < start + 65:
            await asyncio.wait([end], timeout=10)
            if not end.done():
                writer.write(b" ")
        end.cancel()
        await asyncio.gather(end, return_exceptions=True)
        writer.close()
        return time.monotonic() - start

    add = ("POST", path, {"text": "Item", "column": "todo"})
    async with Visitor(service.port, [("GET", "/health"), add], limit=2, interval=1) as visitor:
        seconds = await asyncio.gather(*(asyncio.gather(*(trickle(n, text) for n in range(80)))
                                         for text in unended.values()))
    for what, each in zip(unended, seconds):
        attack.say(f"{sum(s <= 62 for s in each)} of {len(each)} {what} were ended")
        # Two seconds more, for a machine that does other things.
        attack.at_most(f"  the last of the {what}", max(each), 62, "s")
    visitor.report(attack)


ATTACKS = [files, flood, slow_body]
