"""Snapshots and event streams that are asked for and not read."""

import asyncio
import socket
import statistics
import time

from attack import begin_peak, fill, percentile, processor, resident
from attacker import unread as send_unread
from client import Client, Stream


def make_big(attack):
    """A service that is ended, with a board of 2,000 items, whose texts are the longest in JSON that it takes."""
    service = attack.service()
    service.make("big", "Big")
    text = "x" + '"' * 1_999
    service.end()
    fill(service, "big", 2_000, lambda number: text, changes=4_000)
    return service


def begins_with(text, connection):
    """Whether a socket that is not read has got a text first of all."""
    try:
        return connection.recv(len(text), socket.MSG_PEEK) == text
    except OSError:
        return False


async def unread(attack):
    """a board of 2,000 long items: one address asks for it 240 times, has 98 event streams of it, and reads nothing"""
    service = make_big(attack)
    for path, count in [("/api/boards/big", 240), ("/api/boards/big/events", 98)]:
        service.start()
        _, _, board = await Client(service.port, "127.0.0.9").send("GET", "/api/boards/big", timeout=30)
        await asyncio.sleep(2)
        base, start = resident(service.process), time.monotonic()
        begin_peak(service.process)
        sockets = await send_unread(service.port, "127.0.0.2", path, count)
        attack.say(f"{len(sockets)} × GET {path} of {len(board['items'])} items in {time.monotonic() - start:.1f} s; "
                   f"{base:.0f} MB before, {resident(service.process):.0f} MB behind it")
        await asyncio.sleep(4)
        attack.say(f"  {sum(begins_with(b'HTTP/1.1 200', each) for each in sockets)} of them are answered")
        attack.at_most("  resident memory more", resident(service.process, "VmHWM") - base, 40, "MB")
        for connection in sockets:
            connection.close()
        service.end()


async def crowd(attack):
    """100 addresses watch a board with 20 changes a second, while four others do `unread` on another one"""
    service = make_big(attack)
    service.start()
    service.make("board", "Board")
    # Each change of a phase is one of another item, so that none makes another one needless.
    items = [service.add("board", "0") for _ in range(120)]
    latencies = []
    streams = [Stream(service.port, f"127.0.1.{n}", "board") for n in range(1, 101)]
    tasks = [asyncio.create_task(stream.run(
        lambda item: latencies.append(time.monotonic() - float(item["text"])))) for stream in streams]
    await asyncio.gather(*(stream.is_live.wait() for stream in streams))

    async def write(number, start, seconds):
        """One of twenty writers: each sends a change a second, and waits for no other one's answer."""
        writer = Client(service.port, f"127.0.2.{number + 1}")
        for second in range(seconds):
            await asyncio.sleep(start + second + number / 20 - time.monotonic())
            path = f"/api/boards/board/items/{items[second * 20 + number]}"
            await writer.send("PATCH", path, {"text": repr(time.monotonic())}, timeout=20)
        writer.close()

    async def measure(seconds=6):
        """The 99th percentile of the milliseconds until a stream has a change."""
        latencies.clear()
        start = time.monotonic()
        await asyncio.gather(*(write(number, start, seconds) for number in range(20)), return_exceptions=True)
        expected, end = seconds * 20 * len(streams), time.monotonic() + 5
        while len(latencies) < expected and time.monotonic() < end:
            await asyncio.sleep(0.1)
        # What has not come is not to make the percentile better.
        return percentile(latencies + [99] * (expected - len(latencies)), 0.99) * 1_000

    alone, attacked = [], []
    for _ in range(3):
        attackers = [attack.attacker("hold", service.port, f"127.0.0.{n}", "/api/boards/big", 240, 40)
                     for n in range(2, 6)]
        # They are there in both measurements, and the others have left the service in peace.
        await asyncio.sleep(3)
        alone.append(await measure())
        for process in attackers:
            print(file=process.stdin, flush=True)
        before, start = processor(service.process), time.monotonic()
        attacked.append(await measure())
        part = (processor(service.process) - before) / (time.monotonic() - start)
        attack.say(f"99th percentile: alone {alone[-1]:.0f} ms, attacked {attacked[-1]:.0f} ms; then {part:.1f} cores, "
                   f"and most memory of all {resident(service.process, 'VmHWM'):.0f} MB")
        for process in attackers:
            process.kill()
    attack.check("all changes came", max(alone + attacked) < 90_000)
    attack.at_most("median attacked / median alone",
                   statistics.median(attacked) / statistics.median(alone), 1.5, "times")
    attack.check("no stream was closed", not any(task.done() for task in tasks))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


ATTACKS = [unread, crowd]
