// Shows the items: one element for each, which moves to its new place and is never made anew.
//
// The card that is edited or dragged is pinned: the others are placed around it, and what happens to its item meanwhile
// is told in its editor. An element that is not taken out of the page keeps focus, selection and what is being typed.

import { columns, columnNames } from "./items.js";
import { tell } from "./writes.js";

const parts = (root) =>
  Object.fromEntries([...root.querySelectorAll("[data-part]")].map((e) => [e.dataset.part, e]));

export function fromTemplate(id) {
  const fragment = document.getElementById(id).content.cloneNode(true);
  return { fragment, root: fragment.firstElementChild, parts: parts(fragment) };
}

// Shows a page in place of the one before.
export function showPage(id) {
  const { fragment, parts } = fromTemplate(id);
  for (const old of document.querySelectorAll("body > :not(template, noscript)")) old.remove();
  // A drag may have ended with the page.
  document.body.className = "";
  document.body.append(fragment);
  return parts;
}

// The title of a page. Chromium reads `dir="auto"` anew when it is set, but not with each new text.
export function setTitle(element, title) {
  document.title = element.textContent = title;
  element.dir = "auto";
}

// A text in quotes. One from right to left is set apart, which leaves what is around it in its order.
export const quoted = (text) =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text) ? `“\u2068${text}\u2069”` : `“${text}”`;

const calm = matchMedia("(prefers-reduced-motion: reduce)");
// More cards than this do not slide: to measure them would take longer than a frame.
const mostSliding = 400;
const easing = "cubic-bezier(.2, .8, .2, 1)";

export class BoardView {
  #cards = new Map();
  #lists = {};
  #counts = {};
  #frame = 0;
  #current = null;
  #awaited = null;
  #flashing = new Set();

  // `actions`: edit(id, text) and add(column, text), which return promises; remove(id), step(id, dx, dy).
  constructor(root, items, actions) {
    this.items = items;
    this.actions = actions;
    this.pinned = null;
    for (const column of columns) root.append(this.#makeColumn(column));
    root.addEventListener("focusin", (event) => {
      const card = event.target.closest(".item");
      if (card) this.#makeCurrent(card.dataset.id);
    });
    document.addEventListener("visibilitychange", () => this.#frame && this.render());
  }

  // Shows the items with the next frame. `changed` is an item that someone else has changed.
  renderSoon(changed) {
    if (changed) this.#flashing.add(changed);
    if (document.hidden) return this.render();
    this.#frame ||= requestAnimationFrame(() => this.render());
  }

  render() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const focused = document.activeElement?.closest?.(".item");
    const refuge = focused && this.#neighbours(focused);
    const before = this.#rects();
    const leaving = [];
    for (const [id, card] of this.#cards) {
      if (id !== this.pinned) card.element.style.transform = "";
      if (this.items.get(id) || id === this.pinned) continue;
      leaving.push([card.element, before.get(id)]);
      this.#cards.delete(id);
    }
    for (const column of columns) this.#place(column, focused);
    for (const [element, rect] of leaving) {
      element.remove();
      this.#fadeOut(element, rect);
    }
    if (this.pinned) this.#tellEditor(this.pinned);
    this.#move(before);
    this.#flashing.clear();
    this.#restoreFocus(focused, refuge);
    if (this.card(this.#awaited)) this.#focusAwaited();
  }

  card(id) { return this.#cards.get(id)?.element; }

  list(column) { return this.#lists[column]; }

  input(column) { return this.#lists[column].parentElement.querySelector("input"); }

  // What has been typed into the fields and is not saved.
  typed() {
    const fields = Object.values(this.#lists).map((list) => list.parentElement.querySelector("input"));
    const editor = this.#cards.get(this.pinned)?.editor;
    if (editor && editor.text.value !== editor.item.text) fields.push(editor.text);
    return fields.map((field) => field.value.trim()).filter(Boolean);
  }

  // The place of an item as it is shown.
  place(id) {
    const item = this.items.get(id);
    if (!item) return null;
    return { column: item.column, index: this.items.of(item.column).findIndex((i) => i.id === id) };
  }

  focus(id) {
    const card = this.card(id);
    if (!card) return;
    this.#makeCurrent(id);
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });
  }

  // As `focus`, also for an item that the stream is still to bring.
  focusWhenShown(id) {
    this.#awaited = id;
    if (this.card(id)) this.#focusAwaited();
  }

  #focusAwaited() {
    const id = this.#awaited;
    this.#awaited = null;
    // Someone who has begun to type meanwhile stays there.
    if (!document.activeElement?.value) this.focus(id);
  }

  focusCurrent() {
    const id = this.#current ?? this.#cards.keys().next().value;
    if (id) this.focus(id);
  }

  // Shows an error beside an item, or hides it.
  tell(id, error) {
    const card = this.#cards.get(id);
    if (card) tell(card.parts.error, error);
  }

  edit(id) {
    const card = this.#cards.get(id);
    if (!card || card.editor) return;
    if (this.pinned) return this.#cards.get(this.pinned)?.editor?.text.focus();
    tell(card.parts.error, null);
    const { root: form, parts } = fromTemplate("editor");
    const text = form.querySelector("textarea");
    text.value = this.items.get(id).text;
    card.editor = { form, parts, text, item: this.items.get(id), isSaving: false };
    card.element.classList.add("editing");
    card.element.append(form);
    this.pinned = id;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#save(card);
    });
    form.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") this.#endEdit(card);
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      if (event.target.tagName === "BUTTON") return;
      event.preventDefault();
      this.#save(card);
    });
    parts.cancel.addEventListener("click", () => this.#endEdit(card));
    text.focus();
    text.setSelectionRange(text.value.length, text.value.length);
  }

  async #save(card) {
    const { editor } = card;
    if (editor.isSaving) return;
    const value = editor.text.value.trim();
    if (!value) return tell(editor.parts.error, new Error("An item needs a text. Esc cancels."));
    const item = this.items.get(card.id);
    if (item?.text === value) return this.#endEdit(card);
    editor.isSaving = true;
    editor.form.classList.add("saving");
    try {
      if (item) await this.actions.edit(card.id, value);
      else await this.actions.add(editor.item.column, value, editor.item.rank);
      // What was typed while it was saved is kept.
      if (editor.text.value.trim() === value) this.#endEdit(card);
    } catch (error) {
      tell(editor.parts.error, error);
    } finally {
      editor.isSaving = false;
      editor.form.classList.remove("saving");
    }
  }

  #endEdit(card) {
    const hadFocus = card.editor.form.contains(document.activeElement);
    card.editor.form.remove();
    card.editor = null;
    card.element.classList.remove("editing");
    this.pinned = null;
    if (hadFocus) card.element.focus({ preventScroll: true });
    this.render();
  }

  // Tells in the editor what others have done to the item.
  #tellEditor(id) {
    const editor = this.#cards.get(id)?.editor;
    if (!editor) return;
    const item = this.items.get(id);
    const news =
      !item ? "Someone has removed this item. Save adds it again."
      : item.text !== editor.item.text && item.text !== editor.text.value.trim()
        ? `Someone has changed it to ${quoted(item.text)}. Save replaces that.`
      : item.column !== editor.item.column
        ? `Someone has moved it to ${columnNames[item.column]}.`
      : "";
    tell(editor.parts.news, news ? new Error(news) : null);
  }

  #makeColumn(name) {
    const { fragment, root, parts } = fromTemplate("column");
    root.dataset.column = name;
    parts.name.textContent = columnNames[name];
    parts.list.setAttribute("aria-label", columnNames[name]);
    const input = parts.form.elements.text;
    input.setAttribute("aria-label", `Add an item to ${columnNames[name]}`);
    this.#lists[name] = parts.list;
    this.#counts[name] = parts.count;
    let isSending = false;
    parts.form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const text = input.value.trim();
      if (isSending || !text) return;
      isSending = true;
      parts.form.classList.add("saving");
      try {
        await this.actions.add(name, text);
        if (input.value.trim() === text) input.value = "";
        tell(parts.error, null);
      } catch (error) {
        tell(parts.error, error);
      } finally {
        isSending = false;
        parts.form.classList.remove("saving");
      }
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.focusCurrent();
    });
    return fragment;
  }

  #makeCard(id) {
    const { root: element, parts } = fromTemplate("item");
    element.dataset.id = id;
    const card = { id, element, parts, editor: null, motion: null };
    parts.edit.addEventListener("click", () => this.edit(id));
    parts.remove.addEventListener("click", () => this.actions.remove(id));
    for (const button of element.querySelectorAll("[data-move]"))
      button.addEventListener("click", () =>
        this.actions.step(id, button.dataset.move === "left" ? -1 : 1, 0));
    element.addEventListener("dblclick", (event) => {
      if (!event.target.closest("button, form")) this.edit(id);
    });
    element.addEventListener("animationend", () => element.classList.remove("changed"));
    this.#cards.set(id, card);
    return card;
  }

  #place(column, focused) {
    const list = this.#lists[column];
    const items = this.items.of(column);
    this.#counts[column].textContent = items.length;
    const elements = [];
    for (const item of items) {
      const card = this.#cards.get(item.id) ?? this.#makeCard(item.id);
      this.#fill(card, item);
      if (item.id !== this.pinned || card.element.parentElement === list || !card.element.isConnected)
        elements.push(card.element);
    }
    const pinned = this.pinned && this.card(this.pinned);
    if (pinned?.parentElement === list && !elements.includes(pinned))
      elements.splice([...list.children].indexOf(pinned), 0, pinned);
    // The pivot is never taken out: all others are put before or behind it.
    const pivot = pinned?.parentElement === list ? pinned : focused;
    const middle = pivot?.parentElement === list ? elements.indexOf(pivot) : -1;
    const put = (element, next) => {
      if (element.parentElement !== list || element.nextElementSibling !== next)
        list.insertBefore(element, next);
    };
    for (let i = elements.length - 1; i > middle; i--) put(elements[i], elements[i + 1] ?? null);
    for (let i = middle - 1; i >= 0; i--) put(elements[i], elements[i + 1]);
  }

  #fill(card, item) {
    const { element, parts } = card;
    if (parts.text.textContent !== item.text) parts.text.textContent = item.text;
    if (card.column === item.column && card.name === item.text) return;
    card.column = item.column;
    card.name = item.text;
    const at = columns.indexOf(item.column);
    const name = (button, label, isThere = true) => {
      button.setAttribute("aria-label", label);
      button.title = label;
      button.hidden = !isThere;
    };
    const [left, right] = element.querySelectorAll("[data-move]");
    name(left, `Move to ${columnNames[columns[at - 1]]}`, at > 0);
    name(right, `Move to ${columnNames[columns[at + 1]]}`, at < columns.length - 1);
    name(parts.edit, "Edit");
    name(parts.remove, "Remove");
    element.setAttribute("aria-label", `${item.text}, ${columnNames[item.column]}`);
  }

  #rects() {
    const rects = new Map();
    if (calm.matches || document.hidden || this.#cards.size > mostSliding) return rects;
    for (const [id, card] of this.#cards) rects.set(id, card.element.getBoundingClientRect());
    return rects;
  }

  // Lets each card go from where it was to where it is.
  #move(before) {
    const isFirst = before.size === 0;
    if (calm.matches || document.hidden || isFirst) return;
    for (const card of this.#cards.values()) card.motion?.cancel();
    const places = [...this.#cards.values()].map((c) => [c, c.element.getBoundingClientRect()]);
    for (const [card, to] of places) {
      const from = before.get(card.id);
      const frames = from
        ? { transform: [`translate(${from.x - to.x}px, ${from.y - to.y}px)`, "none"] }
        : { opacity: [0, 1], transform: ["translateY(-.4rem)", "none"] };
      const isStill = from && Math.abs(from.x - to.x) < 1 && Math.abs(from.y - to.y) < 1;
      if (!isStill && card.id !== this.pinned)
        card.motion = card.element.animate(frames, { duration: 260, easing });
      if (this.#flashing.has(card.id)) card.element.classList.add("changed");
    }
  }

  #fadeOut(element, rect) {
    if (!rect || calm.matches || rect.bottom < 0 || rect.top > innerHeight) return;
    const ghost = element.cloneNode(true);
    ghost.className = "ghost";
    ghost.removeAttribute("data-id");
    ghost.setAttribute("aria-hidden", "true");
    ghost.inert = true;
    for (const side of ["left", "top", "width", "height"]) ghost.style[side] = `${rect[side]}px`;
    document.body.append(ghost);
    ghost.animate({ opacity: [1, 0], transform: ["none", "scale(.96)"] }, { duration: 180 })
      .onfinish = () => ghost.remove();
  }

  #neighbours(card) {
    return [card.nextElementSibling, card.previousElementSibling, this.input(card.closest(".column").dataset.column)];
  }

  // Focus that was on a card stays on it, or goes to the next one if it is gone.
  #restoreFocus(focused, refuge) {
    if (!this.#cards.has(this.#current)) this.#makeCurrent(this.#cards.keys().next().value ?? null);
    if (!focused || focused.contains(document.activeElement)) return;
    const target = focused.isConnected ? focused : refuge.find((element) => element?.isConnected);
    target?.focus({ preventScroll: true });
  }

  // One card can be reached by the Tab key; the arrow keys go on from it.
  #makeCurrent(id) {
    const set = (id, index) => {
      const card = id && this.card(id);
      if (!card) return;
      card.tabIndex = index;
      for (const button of card.querySelectorAll(".tools button")) button.tabIndex = index;
    };
    if (id !== this.#current) set(this.#current, -1);
    this.#current = id;
    set(id, 0);
  }
}
