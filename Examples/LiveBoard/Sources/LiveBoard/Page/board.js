// The entry: shows the list of boards, or one board.

import { showBoards } from "./boards.js";
import { Items, columns, columnNames } from "./items.js";
import { listenToKeys, listenToPointer } from "./moves.js";
import { BoardStream } from "./stream.js";
import { BoardView, fromTemplate } from "./view.js";
import { send, tell } from "./writes.js";

const missedShown = 8000;
const undoShown = 8000;

function showBoard(board) {
  const { fragment, parts } = fromTemplate("board-page");
  document.body.append(fragment);
  const path = `/api/boards/${encodeURIComponent(board)}`;
  const items = new Items();
  const light = new Light(parts);
  const actions = { add, edit, remove, step };
  const view = new BoardView(parts.columns, items, actions);
  let isLive = false;

  const stream = new BoardStream(board, {
    snapshot(data) {
      document.title = parts.title.textContent = data.board.title;
      items.replace(data.items);
      view.renderSoon();
    },
    change(data) { view.renderSoon(isLive ? items.apply(data) : void items.apply(data)); },
    missed: (count) => light.missed(count),
    state(name) {
      isLive = name === "live";
      if (isLive) {
        items.settle();
        tell(parts.notice, null);
      }
      light.show(name);
      view.renderSoon();
    },
    refused: (error) => tell(parts.notice, error),
  });
  listenToKeys(parts.columns, view, actions);
  listenToPointer(parts.columns, view, (id, column, index) => move(id, column, index));

  function say(text) { parts.said.textContent = text; }

  async function add(column, text, rank) {
    await send("POST", `${path}/items`, { text, column, rank });
  }

  // Shows a change at once, and takes it back if the service refuses it.
  async function write(id, part, method) {
    const asked = items.ask(id, part);
    view.tell(id, null);
    try {
      await send(method, `${path}/items/${encodeURIComponent(id)}`, method === "PATCH" ? part : undefined);
      asked.made();
      setTimeout(() => { asked.expire(); view.renderSoon(); }, 3000);
    } catch (error) {
      asked.failed();
      throw error;
    } finally {
      view.renderSoon();
    }
  }

  // As `write`, with the error shown beside the item.
  async function tryWrite(id, part, method) {
    const writing = write(id, part, method);
    view.render();
    try {
      await writing;
      return true;
    } catch (error) {
      view.render();
      view.tell(id, error);
      return false;
    }
  }

  function edit(id, text) { return write(id, { text }, "PATCH"); }

  function move(id, column, index) {
    for (const { id: other, ...part } of items.place(id, column, index)) tryWrite(other, part, "PATCH");
    say(`Moved to ${columnNames[column]}, ${index + 1} of ${items.of(column).length}`);
  }

  // Moves an item one place, or to the next column.
  function step(id, dx, dy) {
    const { column, index } = view.place(id);
    const to = columns[columns.indexOf(column) + dx];
    const count = items.of(to ?? column).length;
    const place = dy ? index + dy : Math.min(index, count);
    if (!to || place < 0 || (dy && place >= count)) return;
    const hadFocus = view.card(id).contains(document.activeElement);
    move(id, to, place);
    if (hadFocus) view.focus(id);
  }

  async function remove(id) {
    const item = items.get(id);
    if (!item || view.pinned === id) return;
    say(`Removed ${item.text}`);
    if (await tryWrite(id, { removed: true }, "DELETE")) offerUndo(item);
  }

  let undoTimer = 0;
  function offerUndo({ text, column, rank }) {
    clearTimeout(undoTimer);
    const hide = () => { parts.toast.hidden = true; };
    parts["toast-text"].textContent = `Removed “${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;
    parts.toast.hidden = false;
    undoTimer = setTimeout(hide, undoShown);
    parts.undo.onclick = () =>
      add(column, text, rank).then(hide, (error) => { parts["toast-text"].textContent = error.message; });
  }

  // What tests read: the items as they are shown, and the position that they show.
  globalThis.liveBoard = {
    get shown() {
      return columns.flatMap((column) =>
        [...view.list(column).children].map((card) => [column, card.querySelector(".text").textContent]));
    },
    get last() { return stream.last; },
    get light() { return parts.state.textContent; },
  };
}

// The light: whether the page shows the board as it is now.
class Light {
  #missed = null;
  #until = 0;
  #timer = 0;
  #saying = 0;

  constructor(parts) { this.parts = parts; }

  missed(count) {
    this.#missed = count;
    this.#until = Date.now() + missedShown;
  }

  show(name) {
    clearTimeout(this.#timer);
    const { light, state, status } = this.parts;
    const left = this.#until - Date.now();
    const isMissed = name === "live" && left > 0;
    if (isMissed) this.#timer = setTimeout(() => this.show(name), left);
    light.dataset.state = isMissed ? "missed" : name.replace(" ", "-");
    state.textContent = isMissed ? `missed ${this.#missed ?? "some"}` : name;
    light.title = isMissed
      ? "These changes were not kept for this page. It shows the board as it is now."
      : explanations[name] ?? "";
    // Said when it has settled, so that a short gap is not read out.
    clearTimeout(this.#saying);
    this.#saying = setTimeout(() => { status.textContent = state.textContent; }, 700);
  }
}

const explanations = {
  "live": "Changes of others are shown at once.",
  "catching up": "What happened meanwhile is arriving.",
  "connecting": "There is no connection to the service; it is tried again.",
  "offline": "This device has no network. The page goes on when it has.",
  "paused": "A hidden page does not follow; it goes on when it is shown.",
};

const board = location.pathname.match(/^\/boards\/([^/]+)\/?$/);
if (board) showBoard(decodeURIComponent(board[1]));
else showBoards();
