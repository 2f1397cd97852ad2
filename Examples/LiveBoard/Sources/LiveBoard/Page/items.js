// The items of a board: what the stream has told, and over it what this page has asked for and not yet got back.

export const columns = ["todo", "doing", "done"];
export const columnNames = { todo: "To do", doing: "Doing", done: "Done" };

const order = (one, other) =>
  one.rank - other.rank || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);

export class Items {
  #told = new Map();
  #asked = new Map();

  replace(items) {
    this.#told = new Map(items.map((item) => [item.id, item]));
    this.settle();
  }

  // Applies a change: the newest state of an item replaces the one before.
  apply(change) {
    const id = change.item?.id ?? change.removed;
    if (change.item) this.#told.set(id, change.item);
    else this.#told.delete(id);
    const asked = this.#asked.get(id);
    if (asked && (asked.isDone || this.#agrees(id, asked))) this.#asked.delete(id);
    return id;
  }

  // Shows a change that was asked for before it is made; `done` tells that the service has made it, or not.
  ask(id, part) {
    const asked = { part: { ...this.#asked.get(id)?.part, ...part }, isDone: false };
    this.#asked.set(id, asked);
    return {
      made: () => { asked.isDone = true; },
      failed: () => this.#drop(id, asked),
      // What was asked for may be overwritten already, and then its change is left out of the stream.
      expire: () => this.#drop(id, asked),
    };
  }

  // Forgets what was asked for and is made: what the stream has told includes it.
  settle() {
    for (const [id, asked] of this.#asked) if (asked.isDone) this.#asked.delete(id);
  }

  // The item as the service has it.
  told(id) { return this.#told.get(id); }

  get(id) {
    const item = this.#told.get(id);
    const part = this.#asked.get(id)?.part;
    if (!item || part?.removed) return undefined;
    return part ? { ...item, ...part } : item;
  }

  // The items of a column, in their order.
  of(column) {
    return [...this.#told.keys()]
      .map((id) => this.get(id))
      .filter((item) => item?.column === column)
      .sort(order);
  }

  // The ranks to write so that an item is at an index among the others of a column.
  place(id, column, index) {
    const others = this.of(column).filter((item) => item.id !== id);
    const before = others[index - 1]?.rank;
    const behind = others[index]?.rank;
    const rank =
      before === undefined && behind === undefined ? 1
      : before === undefined ? behind - 1
      : behind === undefined ? before + 1
      : (before + behind) / 2;
    const fits = Math.abs(rank) <= 1e12 && (before === undefined || before < rank) && (behind === undefined || rank < behind);
    if (fits) return [{ id, column, rank }];
    // There is no number between the two: the column is numbered anew.
    others.splice(index, 0, { id });
    return others.map((item, place) => ({ id: item.id, column, rank: place + 1 }));
  }

  #drop(id, asked) {
    if (this.#asked.get(id) === asked) this.#asked.delete(id);
  }

  #agrees(id, asked) {
    const item = this.#told.get(id);
    if (!item) return asked.part.removed === true;
    return Object.entries(asked.part).every(([key, value]) => item[key] === value);
  }
}
