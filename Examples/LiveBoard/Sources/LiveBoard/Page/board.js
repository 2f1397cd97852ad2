// The entry: shows the list of boards, one board, or that there is nothing.

import { showBoards, showNoBoard, showNothing, showRemoved } from "./boards.js";
import { Items, columns, columnNames } from "./items.js";
import { listenToKeys, listenToPointer } from "./moves.js";
import { BoardStream } from "./stream.js";
import { BoardView, quoted, setTitle, showPage } from "./view.js";
import { send, tell } from "./writes.js";

const missedShown = 8000;
const undoShown = 20_000;

function showBoard(board) {
  const parts = showPage("board-page");
  const path = `/api/boards/${encodeURIComponent(board)}`;
  const items = new Items();
  const light = new Light(parts);
  const actions = { add, edit, remove, step, undo };
  const view = new BoardView(parts.columns, items, actions);
  let isLive = false;
  let title = null;
  let isRemoving = false;

  const stream = new BoardStream(board, {
    snapshot(data) {
      title = data.board.title;
      setTitle(parts.title, title);
      parts.columns.hidden = parts["remove-board"].hidden = false;
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
    gone() {
      if (isRemoving) location.href = "/";
      else if (title === null) showNoBoard(board);
      else showRemoved(title, view.typed());
    },
  });
  listenToKeys(parts.columns, view, actions);
  listenToPointer(parts.columns, view, (id, column, index) => move(id, column, index));
  showHint(parts);
  parts.undo.addEventListener("click", undo);
  parts["remove-board"].addEventListener("click", () => {
    const count = columns.reduce((sum, column) => sum + items.of(column).length, 0);
    parts["confirm-title"].textContent = `Remove ${quoted(title)}?`;
    parts["confirm-text"].textContent =
      `The board and its ${count === 1 ? "item go" : `${count} items go`} for everybody, and nothing brings them back.`;
    tell(parts["confirm-error"], null);
    parts.confirm.showModal();
  });
  parts["confirm-no"].addEventListener("click", () => parts.confirm.close());
  parts["confirm-yes"].addEventListener("click", removeBoard);

  function say(text) { parts.said.textContent = text; }

  async function add(column, text, rank) {
    return send("POST", `${path}/items`, { text, column, rank });
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
    say(`Removed ${item.text}. ${parts.command.textContent} Z brings it back.`);
    if (await tryWrite(id, { removed: true }, "DELETE")) offerUndo(item);
  }

  let removed = null;
  let undoTimer = 0;
  function offerUndo(item) {
    const { text, column } = item;
    removed = item;
    parts["toast-text"].textContent = `Removed ${quoted(text.length > 40 ? `${text.slice(0, 40)}…` : text)}`;
    // Behind the items of the column, so that the Tab key soon comes to it.
    view.list(column).after(parts.toast);
    parts.toast.hidden = false;
    hideUndo(undoShown);
  }

  // Hides it in a while, and then not as long as it has the mouse or the focus.
  function hideUndo(time) {
    clearTimeout(undoTimer);
    undoTimer = setTimeout(() => {
      if (parts.toast.matches(":hover, :focus-within")) return hideUndo(2000);
      parts.toast.hidden = true;
      removed = null;
    }, time);
  }

  // Brings back the item that was removed last; returns whether there is one.
  function undo() {
    const item = removed;
    if (!item) return false;
    removed = null;
    add(item.column, item.text, item.rank).then(({ id }) => {
      parts.toast.hidden = removed === null;
      view.focusWhenShown(id);
      say(`${item.text} is there again`);
    }, (error) => {
      removed ??= item;
      parts["toast-text"].textContent = error.message;
      parts.toast.hidden = false;
      hideUndo(undoShown);
    });
    return true;
  }

  async function removeBoard() {
    if (isRemoving) return;
    isRemoving = true;
    try {
      await send("DELETE", path);
      location.href = "/";
    } catch (error) {
      isRemoving = false;
      tell(parts["confirm-error"], error);
    }
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

// The keys: open in a wide window, folded in a narrow one.
function showHint({ hint, command }) {
  const wide = matchMedia("(min-width: 601px)");
  const fold = () => { hint.open = wide.matches; };
  wide.addEventListener("change", fold);
  fold();
  if (/Mac|iP/.test(navigator.platform)) command.textContent = "⌘";
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
  "no answer": "Nothing has come from the service for 40 seconds, so the board may be old. It is asked again.",
  "offline": "This device has no network. The page goes on when it has.",
  "paused": "A hidden page does not follow; it goes on when it is shown.",
};

const path = location.pathname.match(/^\/(?:index\.html|boards\/([^/]+)\/?)?$/);
try {
  if (!path) showNothing();
  else if (path[1]) showBoard(decodeURIComponent(path[1]));
  else showBoards();
} catch (error) {
  // An address such as %E0%A4%A has no text.
  if (!(error instanceof URIError)) throw error;
  showNothing();
}
