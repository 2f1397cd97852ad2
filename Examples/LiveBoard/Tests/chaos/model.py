"""What the boards must have: the state after all acknowledged writes.

Each item belongs to one writer, which writes it as a whole and waits for the answer. So the order of an item's states
is the writer's own. A write without an answer may or may not have been made, and may still be made a little later.
"""

import time

# A write without an answer can be made as long as this after it was sent.
UNKNOWN = 20


class Model:
    def __init__(self, boards):
        # The acknowledged state of each item: (text, column, rank), or None if it is removed.
        self.items = {board: {} for board in boards}
        self.maybe = {board: {} for board in boards}
        self.maybe_new = {board: set() for board in boards}
        self.acknowledged = 0
        self.unknown = 0

    def wrote(self, board, item, state):
        self.acknowledged += 1
        self.items[board][item] = state

    def may_have_written(self, board, item, state):
        self.unknown += 1
        if item is None:
            self.maybe_new[board].add(state)
        else:
            self.maybe[board].setdefault(item, []).append((time.monotonic(), state))

    def has_unknown(self, board, item):
        return item in self.maybe[board]

    def allowed(self, board, item):
        return {self.items[board].get(item)} | {state for _, state in self.maybe[board].get(item, [])}

    def differences(self, board, shown):
        """What is wrong with the items that are shown: (item, shown, allowed)."""
        wrong = []
        for item, state in self.items[board].items():
            if shown.get(item) not in self.allowed(board, item):
                wrong.append((item, shown.get(item), state))
        for item, state in shown.items():
            if item not in self.items[board] and state not in self.maybe_new[board]:
                wrong.append((item, state, "not there"))
        return wrong

    def settle(self, board, shown):
        """Takes over which of the unknown writes were made."""
        for item, state in shown.items():
            if item not in self.items[board]:
                self.items[board][item] = state
                self.maybe_new[board].discard(state)
        now = time.monotonic()
        for item, unknown in list(self.maybe[board].items()):
            self.items[board][item] = shown.get(item)
            self.maybe[board][item] = [(at, state) for at, state in unknown if now - at < UNKNOWN]
            if not self.maybe[board][item]:
                del self.maybe[board][item]

    def count(self, board):
        return sum(state is not None for state in self.items[board].values())
