// The event stream of a board, for as long as the page is open.
//
// The browser's EventSource connects again by itself after a network error. It gives up after any other one, so the
// last id is kept here too, and a new EventSource continues behind it. A hidden page lets its stream go and continues
// when it is shown: over HTTP/1.1 a browser has six connections for a service, and each open tab would hold one.

import { refusal } from "./writes.js";

const hiddenGrace = 1500;
const slowest = 15_000;

export class BoardStream {
  #source = null;
  #last = "";
  #failures = 0;
  #timer = 0;
  #hiding = 0;
  #tick = Date.now();

  // `handlers`: snapshot(data), change(data), missed(count), state(name), refused(error).
  constructor(board, handlers) {
    this.path = `/api/boards/${encodeURIComponent(board)}/events`;
    this.handlers = handlers;
    document.addEventListener("visibilitychange", () => this.#visibilityChanged());
    addEventListener("online", () => this.reconnect());
    addEventListener("offline", () => this.#again());
    addEventListener("pageshow", (event) => event.persisted && this.reconnect());
    addEventListener("pagehide", () => this.#close());
    document.addEventListener("resume", () => this.reconnect());
    setInterval(() => this.#notice(), 5000);
    this.reconnect();
  }

  get last() { return this.#last; }

  // Connects anew, behind the last event.
  reconnect() {
    this.#close();
    if (document.hidden) return this.handlers.state("paused");
    const after = this.#last ? `?after=${encodeURIComponent(this.#last)}` : "";
    const source = new EventSource(this.path + after);
    this.#source = source;
    this.#connecting();
    const on = (name, action) =>
      source.addEventListener(name, (event) => {
        if (source !== this.#source) return;
        action(JSON.parse(event.data || "{}"));
        // Kept behind the action: an event that could not be applied comes again.
        if (event.lastEventId) this.#last = event.lastEventId;
      });
    source.onopen = () => {
      if (source === this.#source) this.handlers.state("catching up");
    };
    source.onerror = () => {
      if (source === this.#source) this.#failed(source);
    };
    on("snapshot", (data) => this.handlers.snapshot(data));
    on("change", (data) => this.handlers.change(data));
    on("missed", (data) => this.handlers.missed(data.count));
    on("live", () => {
      this.#failures = 0;
      this.handlers.state("live");
    });
    on("end", () => this.#again());
  }

  #failed(source) {
    if (source.readyState !== EventSource.CLOSED) return this.#connecting();
    this.#again();
    refusal(this.path).then((error) => this.handlers.refused(error));
  }

  // A service on this device can be reached without a network, so it is tried in any case.
  #connecting() { this.handlers.state(navigator.onLine ? "connecting" : "offline"); }

  // Connects anew in a while: not at the same time as all the others.
  #again() {
    this.#close();
    this.#connecting();
    const longest = Math.min(slowest, 500 * 2 ** this.#failures++);
    this.#timer = setTimeout(() => this.reconnect(), longest * (0.5 + Math.random() / 2));
  }

  #pause() {
    this.#close();
    this.handlers.state("paused");
  }

  #close() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #visibilityChanged() {
    clearTimeout(this.#hiding);
    if (document.hidden) this.#hiding = setTimeout(() => this.#pause(), hiddenGrace);
    else if (this.#source === null) this.reconnect();
  }

  // A machine that slept has a connection that is dead and does not know it.
  #notice() {
    const slept = Date.now() - this.#tick > 20_000;
    this.#tick = Date.now();
    if (slept && this.#source) this.reconnect();
  }
}
