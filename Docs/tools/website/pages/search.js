// Searches the site: guides with their sections, and the symbols of all modules. The index lies beside this script.
(() => {
  const folder = new URL(".", document.currentScript.src);
  const base = new URL("..", folder).pathname.replace(/\/$/, "");
  const KINDS = { guide: 14, section: 8, listing: 2, module: 10, structure: 6, class: 6, protocol: 6, enumeration: 4,
    "instance method": 5, "type method": 5, function: 5, initializer: -6, operator: -8, case: -4,
    "type alias": -24, extension: -4 };
  const SHOWN = 40;
  // Other words for what the guides call otherwise.
  const ALSO = { websocket: "socket", websockets: "socket", sse: "event stream", backpressure: "back pressure",
    diamond: "glitch", deadlock: "lock", ttl: "within" };

  /** The words of a name, also those that capitals begin: `dataTaskPublisher(for:)` has data, task, publisher, for. */
  const wordsOf = (name) => name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);

  let loading;
  const load = () => loading ??= fetch(new URL("index.json", folder)).then((answer) => answer.json()).then((rows) =>
    rows.map(([title, url, kind, where, summary, words], place) => ({
      title, url, kind, where, summary, place, name: title.toLowerCase().replace(/[(<:].*/, "").trim(),
      named: wordsOf(title.split(".").pop()), placed: wordsOf(`${title.split(".").slice(0, -1)} ${where}`),
      parent: where.split(" · ")[0].split(".").pop().toLowerCase(), said: wordsOf(summary), words: ` ${words} `,
    })));

  /** How well one word of the question fits; 0 if it does not. */
  const fit = (entry, word) => {
    if (entry.name === word) return 100;
    const short = entry.name.slice(entry.name.lastIndexOf(".") + 1);
    if (short === word) return 95;
    if (short.startsWith(word)) return 70 - Math.min(20, short.length - word.length);
    if (entry.named.includes(word)) return 60;
    if (entry.named.some((part) => part.startsWith(word))) return 48;
    if (word.length > 3 && entry.named.join("").includes(word)) return 40;
    if (entry.parent === word) return 36;
    if (entry.said.includes(word)) return 24;
    if (entry.said.some((part) => part.startsWith(word))) return 18;
    if (entry.words.includes(` ${word} `)) return 16;
    if (entry.words.includes(` ${word}`)) return 12;
    if (entry.placed.some((part) => part.startsWith(word))) return 8;
    return 0;
  };

  const find = (entries, question) => {
    const words = question.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);
    const whole = words.join(" ");
    const found = [];
    for (const entry of words.length ? entries : []) {
      const fits = words.map((word) => Math.max(fit(entry, word),
        ALSO[word] ? Math.min(...ALSO[word].split(" ").map((other) => fit(entry, other))) : 0));
      if (fits.includes(0)) continue;
      let score = fits.reduce((sum, each) => sum + each, 0) / words.length + (KINDS[entry.kind] ?? 0);
      // Operators before what else has the same name.
      if (/(^|\.)Publisher ·/.test(entry.where)) score += 4;
      if (entry.named.join(" ").includes(whole)) score += 15;
      if (words.length > 1 && entry.said.join(" ").includes(whole)) score += 10;
      found.push({ entry, score });
    }
    return found.sort((one, other) => other.score - one.score || one.entry.place - other.entry.place)
      .map(({ entry }) => entry);
  };

  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  };

  const row = (entry) => {
    const link = element("a");
    link.href = base + entry.url;
    const isText = ["guide", "section", "listing"].includes(entry.kind);
    link.append(element("span", isText ? "title" : "title code", entry.title));
    const kind = isText && entry.where ? "in" : entry.kind;
    link.append(" ", element("span", "where", [kind, entry.where].filter(Boolean).join(isText ? " " : " · ")));
    if (entry.summary) link.append(element("span", "summary", entry.summary));
    const made = element("li");
    made.append(link);
    return made;
  };

  /** Fills an element with a field and the list of what is found. */
  const build = (place, whenAsked = () => {}) => {
    place.classList.add("site-search");
    const field = element("input");
    Object.assign(field, {
      type: "search", placeholder: "Search guides and symbols", autocomplete: "off", spellcheck: false });
    field.setAttribute("aria-label", "Search guides and symbols");
    const list = element("ol");
    const count = element("p", "count");
    count.setAttribute("role", "status");
    place.append(field, list, count);

    const show = async () => {
      const question = field.value.trim();
      whenAsked(question);
      let entries;
      try {
        entries = await load();
      } catch {
        loading = undefined;
        count.textContent = "The index could not be read.";
        return;
      }
      if (question !== field.value.trim()) return;
      const found = find(entries, question);
      list.replaceChildren(...found.slice(0, SHOWN).map(row));
      count.textContent = !question ? "" : !found.length ? "Nothing found."
        : found.length > SHOWN ? `The first ${SHOWN} of ${found.length}.` : "";
    };
    field.addEventListener("input", show);
    place.addEventListener("keydown", (event) => {
      const stops = [field, ...list.querySelectorAll("a")];
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const at = stops.indexOf(document.activeElement);
      if (step && at >= 0) {
        event.preventDefault();
        stops[Math.max(0, Math.min(stops.length - 1, at + step))].focus();
      } else if (event.key === "Enter" && document.activeElement === field) {
        event.preventDefault();
        stops[1]?.click();
      }
    });
    return { field, show };
  };

  let dialog;
  const open = () => {
    if (!dialog) {
      dialog = element("dialog");
      dialog.setAttribute("aria-label", "Search");
      dialog.field = build(dialog).field;
      dialog.addEventListener("click", (event) => {
        if (event.target === dialog || event.target.closest("a")) dialog.close();
      });
      document.body.append(dialog);
    }
    if (!dialog.open) dialog.showModal();
    dialog.field.select();
  };

  const here = document.querySelector(".search-here");
  let search = open;
  if (here) {
    const main = here.closest("main");
    const { field, show } = build(here, (question) => {
      main.classList.toggle("searching", question !== "");
      history.replaceState(null, "", question ? `#search=${encodeURIComponent(question)}` : location.pathname);
    });
    search = () => field.select();
    // docc keeps a reader's choice of light or dark here.
    const chosen = localStorage.getItem("developer.setting.preferredColorScheme");
    if (chosen) document.body.dataset.colorScheme = JSON.parse(chosen);
    const asked = location.hash.match(/^#search(?:=(.*))?$/);
    if (asked) {
      field.value = decodeURIComponent(asked[1] ?? "");
      show();
      field.focus();
    }
  }
  document.addEventListener("click", (event) => {
    if (!event.composedPath().some((part) => part.dataset?.search !== undefined)) return;
    event.preventDefault();
    search();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    search();
  });
})();
