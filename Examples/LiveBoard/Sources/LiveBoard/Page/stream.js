// The event stream of a board, for as long as the page is open.
//
// The browser's EventSource connects again by itself after a network error. It gives up after any other one, so the
// last id is kept here too, and a new EventSource continues behind it. A hidden page lets its stream go and continues
// when it is shown: over HTTP/1.1 a browser has six connections for a service, and each open tab would hold one.
//
// A connection can also be dead without an error: the service hangs, a network drops packets, the machine slept. The
// service sends an event at least every 15 seconds. After 40 seconds without one the page says so, and connects anew.

import { refusal } from "./writes.js";

const hiddenGrace = 1500;
const slowest = 15_000;
const silence = 40_000;
// A snapshot is one event, and may take longer than that over a slow network.
const longestSilence = 320_000;

export class BoardStream {
  #source = null;
  #last = "";
  #failures = 0;
  #timer = 0;
  #hiding = 0;
  #watching = 0;
  #ending = new AbortController();
  #state = "";
  // When the service was heard last, or began to be listened to; and when this connection was begun.
  #heard = 0;
  #asked = 0;
  #isSilent = false;
  #patience = silence;
  #tick = Date.now();

  // `handlers`: snapshot(data), change(data), missed(count), state(name), refused(error), gone().
  constructor(board, handlers) {
    this.path = `/api/boards/${encodeURIComponent(board)}/events`;
    this.handlers = handlers;
    const { signal } = this.#ending;
    document.addEventListener("visibilitychange", () => this.#visibilityChanged(), { signal });
    document.addEventListener("resume", () => this.#begin(), { signal });
    addEventListener("online", () => this.#begin(), { signal });
    addEventListener("offline", () => this.#again(), { signal });
    addEventListener("pageshow", (event) => event.persisted && this.#begin(), { signal });
    addEventListener("pagehide", () => this.#close(), { signal });
    this.#watching = setInterval(() => this.#watch(), 1000);
    this.#begin();
  }

  get last() { return this.#last; }

  // Connects, after a time in which the page did not listen: that time is no silence of the service.
  #begin() {
    this.#heard = Date.now();
    this.#isSilent = false;
    this.#connect();
  }

  // Connects anew, behind the last event.
  #connect() {
    this.#close();
    if (document.hidden) return this.#tell("paused");
    const after = this.#last ? `?after=${encodeURIComponent(this.#last)}` : "";
    const source = new EventSource(this.path + after);
    this.#source = source;
    this.#asked = Date.now();
    this.#connecting();
    const on = (name, action) =>
      source.addEventListener(name, (event) => {
        if (source !== this.#source) return;
        this.#hear();
        action(JSON.parse(event.data || "{}"));
        // Kept behind the action: an event that could not be applied comes again.
        if (event.lastEventId) this.#last = event.lastEventId;
      });
    source.onopen = () => {
      if (source === this.#source) this.#tell("catching up");
    };
    source.onerror = () => {
      if (source === this.#source) this.#failed(source);
    };
    on("snapshot", (data) => this.handlers.snapshot(data));
    on("change", (data) => this.handlers.change(data));
    on("missed", (data) => this.handlers.missed(data.count));
    on("live", () => {
      this.#failures = 0;
      this.#tell("live");
    });
    on("ping", () => {});
    on("end", () => this.#again());
    on("removed", () => this.#gone());
  }

  #failed(source) {
    if (source.readyState !== EventSource.CLOSED) return this.#connecting();
    this.#again();
    refusal(this.path).then((error) => {
      // A service that refuses is not silent.
      if (error) this.#hear();
      if (error?.status === 404) this.#gone();
      else this.handlers.refused(error);
    });
  }

  // There is no such board any more, and nothing to connect to.
  #gone() {
    this.#ending.abort();
    clearInterval(this.#watching);
    clearTimeout(this.#hiding);
    this.#close();
    this.handlers.gone();
  }

  #tell(state) {
    this.#state = state;
    const isWaiting = state === "connecting" || state === "catching up";
    this.handlers.state(this.#isSilent && isWaiting ? "no answer" : state);
  }

  #hear() {
    this.#heard = Date.now();
    this.#patience = silence;
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#tell(this.#state);
  }

  // A service on this device can be reached without a network, so it is tried in any case.
  #connecting() { this.#tell(navigator.onLine ? "connecting" : "offline"); }

  // Connects anew in a while: not at the same time as all the others.
  #again() {
    this.#close();
    this.#connecting();
    const longest = Math.min(slowest, 500 * 2 ** this.#failures++);
    this.#timer = setTimeout(() => this.#connect(), longest * (0.5 + Math.random() / 2));
  }

  #pause() {
    this.#close();
    this.#tell("paused");
  }

  #close() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #visibilityChanged() {
    clearTimeout(this.#hiding);
    if (document.hidden) this.#hiding = setTimeout(() => this.#pause(), hiddenGrace);
    else if (this.#source === null) this.#begin();
  }

  // Looks once a second whether the service is silent.
  #watch() {
    const now = Date.now();
    const slept = now - this.#tick > 20_000;
    this.#tick = now;
    if (document.hidden) return;
    // Nothing could be heard, and a connection of before the sleep may be dead without knowing it.
    if (slept) return this.#begin();
    if (!this.#isSilent && now - this.#heard > silence) {
      this.#isSilent = true;
      this.#tell(this.#state);
    }
    if (!this.#source) return;
    const isOpen = this.#source.readyState === EventSource.OPEN;
    const quiet = now - Math.max(this.#heard, this.#asked);
    if (quiet <= (isOpen ? this.#patience : slowest)) return;
    if (isOpen && this.#heard < this.#asked)
      this.#patience = Math.min(longestSilence, this.#patience * 2);
    this.#again();
  }
}
