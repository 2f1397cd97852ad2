"""Boards, writes and reads, as fast as one address can."""

import asyncio
import json

from attack import Visitor
from client import Client


async def boards(attack):
    """one address makes boards as fast as it can; then others fill the service, and one board is removed"""
    service = attack.service()
    greedy, made = Client(service.port, "127.0.0.2"), 0
    for number in range(1_000):
        status, fields, _ = await greedy.send("POST", "/api/boards", {"id": f"greedy-{number}", "title": "Greedy"})
        if status != 201:
            break
        made += 1
    attack.at_most("boards of one address in an hour", made, 60, "boards")
    attack.check(f"the next one: {status}, Retry-After: {fields.get('retry-after')}",
                 status == 429 and int(fields.get("retry-after", "0")) > 0)
    other = Client(service.port, "127.0.0.9")
    status, _, answer = await other.send("POST", "/api/boards", {"id": "other", "title": "Other"})
    attack.check(f"a board of another address: {status} {answer.get('error', '')}", status == 201)
    for address in range(1, 41):
        client, number, status = Client(service.port, f"127.0.3.{address}"), 0, 201
        while status == 201:
            number += 1
            status, _, _ = await client.send("POST", "/api/boards", {"id": f"b{address}-{number}", "title": "B"})
        client.close()
        if status != 429:
            break
    attack.check(f"the service is full: {status}", status not in (201, 429))
    removed, _, _ = await other.send("DELETE", "/api/boards/greedy-0")
    status, _, answer = await other.send("POST", "/api/boards", {"id": "room", "title": "Room"})
    attack.check(f"a board is removed: {removed}; and makes room: {status} {answer.get('error', '')}",
                 (removed, status) == (200, 201))


async def writes(attack):
    """one address writes and reads for 12 seconds as fast as it can, on eight connections"""
    service = attack.service()
    service.make("board", "Board")
    item = service.add("board", "Item")
    hurry = attack.attacker("hurry", service.port, "127.0.0.2", 12, item)
    change = ("PATCH", f"/api/boards/board/items/{item}", {"column": "doing"})
    async with Visitor(service.port, [change, ("GET", "/api/boards/board")], limit=1) as visitor:
        done = json.loads(await asyncio.to_thread(hurry.stdout.readline))
    attack.say(f"it got {done}")
    # A burst of ten seconds' worth, what comes in the time, and a tenth.
    limit = (10 + done["seconds"]) * 1.1
    attack.at_most("writes of one address", done["PATCH"], 20 * limit, "writes")
    attack.at_most("requests of one address", done["PATCH"] + done["GET"], 100 * limit, "requests")
    attack.check("429 beyond, always with Retry-After", done["429"] > 0 and not done["without Retry-After"])
    visitor.report(attack)


ATTACKS = [boards, writes]
