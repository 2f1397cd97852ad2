// The pages beside that of a board: the list at `/`, and what is said where there is no board.

import { quoted, setTitle, showPage } from "./view.js";
import { send, tell } from "./writes.js";

const longestID = 40;

const slug = (title) =>
  title.normalize("NFKD").replace(/\p{M}+/gu, "").toLowerCase()
    .replace(/[^a-z0-9]+/g, "-").slice(0, longestID).replace(/^-+|-+$/g, "");

// The id of a board whose title has no letter from a to z and no digit.
function someID() {
  const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  const numbers = crypto.getRandomValues(new Uint32Array(6));
  return `board-${[...numbers].map((number) => letters[number % letters.length]).join("")}`;
}

export async function showBoards() {
  const parts = showPage("boards-page");
  const input = parts.form.elements.title;
  const spare = someID();
  const address = () => slug(input.value) || spare;

  input.addEventListener("input", () => {
    parts.address.textContent = input.value.trim() ? `${location.origin}/boards/${address()}` : "";
  });
  parts.form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const title = input.value.trim();
    try {
      if (!title) throw new Error("A board needs a title.");
      await make(address(), title);
    } catch (error) {
      tell(parts.error, error);
    }
  });

  try {
    const boards = await send("GET", "/api/boards");
    parts.empty.hidden = boards.length > 0;
    parts.list.append(...boards.map(link));
  } catch (error) {
    tell(parts.notice, error);
  }
}

// Makes a board and goes to its page.
async function make(id, title) {
  await send("POST", "/api/boards", { id, title });
  location.href = `/boards/${id}`;
}

function link({ id, title }) {
  const entry = document.createElement("li");
  const anchor = document.createElement("a");
  anchor.href = `/boards/${encodeURIComponent(id)}`;
  anchor.textContent = title;
  anchor.dir = "auto";
  entry.append(anchor);
  return entry;
}

export function showNothing() { showMessage("There is nothing at this address."); }

export function showNoBoard(id) {
  const parts = showMessage(`There is no board ${quoted(id)}.`);
  parts.make.hidden = !/^[a-z0-9-]+$/.test(id) || id.length > longestID;
  parts.make.addEventListener("click", () =>
    make(id, id).catch((error) => tell(parts.error, error)));
}

// `typed` is what has been typed into its fields and is not saved.
export function showRemoved(title, typed) {
  const parts = showMessage("This board was removed.");
  setTitle(parts.title, title);
  if (typed.length === 0) return;
  parts.more.textContent = "What you have typed was not saved:";
  parts.typed.append(...typed.map((text) => {
    const entry = document.createElement("li");
    entry.textContent = text;
    entry.dir = "auto";
    return entry;
  }));
  parts.more.hidden = parts.typed.hidden = false;
}

function showMessage(text) {
  const parts = showPage("message-page");
  document.title = parts.text.textContent = text;
  // Where the keyboard and a screen reader go on.
  parts.text.focus();
  return parts;
}
