// The page at `/`: the boards there are, and a field that makes one.

import { fromTemplate } from "./view.js";
import { send, tell } from "./writes.js";

const slug = (title) =>
  title.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 40).replace(/^-+|-+$/g, "");

export async function showBoards() {
  const { fragment, parts } = fromTemplate("boards-page");
  document.body.append(fragment);
  const input = parts.form.elements.title;

  input.addEventListener("input", () => {
    const id = slug(input.value);
    parts.address.textContent = id ? `${location.origin}/boards/${id}` : "";
  });
  parts.form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const title = input.value.trim();
    const id = slug(title);
    try {
      if (!id) throw new Error("The title needs a letter from a to z or a digit, for the address.");
      await send("POST", "/api/boards", { id, title });
      location.href = `/boards/${id}`;
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

function link({ id, title }) {
  const entry = document.createElement("li");
  const anchor = document.createElement("a");
  anchor.href = `/boards/${encodeURIComponent(id)}`;
  anchor.textContent = title;
  entry.append(anchor);
  return entry;
}
