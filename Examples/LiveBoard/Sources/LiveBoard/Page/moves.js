// Moves items: by the keyboard, and by mouse, pen or finger.

import { columns } from "./items.js";

const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// `actions`: step(id, dx, dy), remove(id), undo(), which returns whether there is anything to undo.
export function listenToKeys(root, view, actions) {
  document.addEventListener("keydown", (event) => {
    if (!root.isConnected || document.querySelector("dialog[open]")) return;
    if (isUndo(event) && !event.target.value && actions.undo()) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const isOnCard = event.target.classList?.contains("item");
    if (!isOnCard && event.target !== document.body) return;
    const id = isOnCard ? event.target.dataset.id : null;
    const column = event.target.closest(".column")?.dataset.column ?? columns[0];
    const arrow = arrows[event.key];
    if (arrow && !id) view.focusCurrent();
    else if (arrow && event.shiftKey) actions.step(id, ...arrow);
    else if (arrow) goTo(view, id, ...arrow);
    else if (event.key.toLowerCase() === "n") view.input(column).focus();
    else if (id && (event.key === "Enter" || event.key === "F2")) view.edit(id);
    else if (id && (event.key === "Delete" || event.key === "Backspace")) actions.remove(id);
    else return;
    event.preventDefault();
  });
}

// Ctrl+Z or Cmd+Z, also where a key has no letter from a to z on it.
function isUndo({ key, code, ctrlKey, metaKey, altKey, shiftKey }) {
  if (ctrlKey === metaKey || altKey || shiftKey) return false;
  return key.toLowerCase() === "z" || (code === "KeyZ" && !/^[a-z]$/i.test(key));
}

function goTo(view, id, dx, dy) {
  const { column, index } = view.place(id);
  if (dy) {
    const next = view.items.of(column)[index + dy];
    if (next) view.focus(next.id);
    else if (dy > 0) view.input(column).focus();
    return;
  }
  for (let at = columns.indexOf(column) + dx; columns[at]; at += dx) {
    const items = view.items.of(columns[at]);
    if (items.length) return view.focus(items[Math.min(index, items.length - 1)].id);
  }
}

// `drop(id, column, index)` is called when an item is let go of somewhere else.
export function listenToPointer(root, view, drop) {
  let drag = null;

  root.addEventListener("pointerdown", (event) => {
    const card = event.target.closest(".item");
    if (!card || drag || view.pinned || event.button !== 0) return;
    if (event.target.closest("button, form")) return;
    // A mouse selects in a text. It moves a card by its grip, and by all that is beside the text.
    if (event.pointerType === "mouse" && event.target.closest(".text")) return;
    drag = { card, id: card.dataset.id, x: event.clientX, y: event.clientY,
      scroll: scrollY, pointer: event.pointerId, isMoving: false, target: null, hold: 0 };
    // A finger scrolls, unless it rests first or is on the grip.
    drag.scrolls = event.pointerType === "touch" && !event.target.closest(".grip");
    if (drag.scrolls) drag.hold = setTimeout(() => begin(), 250);
  });

  root.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.isMoving) {
      if (Math.hypot(dx, dy) < 5) return;
      if (drag.scrolls) return end(false);
      begin();
    }
    const edge = 48;
    if (event.clientY < edge) scrollBy(0, -12);
    else if (event.clientY > innerHeight - edge) scrollBy(0, 12);
    drag.card.style.transform = `translate(${dx}px, ${dy + scrollY - drag.scroll}px)`;
    aim(event.clientX, event.clientY);
  });

  root.addEventListener("pointerup", () => end(true));
  root.addEventListener("pointercancel", () => end(false));
  root.addEventListener("touchmove", (event) => drag?.isMoving && event.preventDefault(),
    { passive: false });
  root.addEventListener("contextmenu", (event) => drag?.isMoving && event.preventDefault());
  document.addEventListener("keydown", (event) => event.key === "Escape" && end(false));

  function begin() {
    if (!drag.card.isConnected || view.pinned) return end(false);
    drag.isMoving = true;
    getSelection().removeAllRanges();
    view.pinned = drag.id;
    drag.card.setPointerCapture(drag.pointer);
    drag.card.classList.add("dragging");
    document.body.classList.add("dragging-item");
  }

  function aim(x, y) {
    unmark();
    const inside = ({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom;
    const column = columns.find((name) =>
      inside(view.list(name).closest(".column").getBoundingClientRect()));
    if (!column) return (drag.target = null);
    const others = [...view.list(column).children].filter((card) => card !== drag.card);
    const index = others.filter((card) => {
      const { top, height } = card.getBoundingClientRect();
      return top + height / 2 < y;
    }).length;
    drag.target = { column, index };
    if (others[index]) others[index].classList.add("drop-before");
    else view.list(column).classList.add("drop-end");
  }

  function unmark() {
    for (const marked of root.querySelectorAll(".drop-before, .drop-end"))
      marked.classList.remove("drop-before", "drop-end");
  }

  function end(isDropped) {
    if (!drag) return;
    const { card, id, isMoving, target, hold } = drag;
    clearTimeout(hold);
    drag = null;
    if (!isMoving) return;
    unmark();
    card.classList.remove("dragging");
    document.body.classList.remove("dragging-item");
    view.pinned = null;
    const from = view.place(id);
    const isElsewhere = target && from && (target.column !== from.column || target.index !== from.index);
    if (isDropped && isElsewhere) drop(id, target.column, target.index);
    else view.render();
  }
}
