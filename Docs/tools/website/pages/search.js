// Searches the site: guides with their sections, and the symbols of all modules. The index lies beside this script.
(() => {
  const folder = new URL(".", document.currentScript.src);
  const base = new URL("..", folder).pathname.replace(/\/$/, "");
  const SHOWN = 40;

  let loading;
  const load = () => loading ??= fetch(new URL("index.json", folder)).then((answer) => answer.json()).then(entriesOf);

  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  };

  const row = (entry) => {
    const link = element("a");
    link.href = base + entry.url;
    const isText = ["guide", "section", "rule"].includes(entry.kind);
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
      field.value = new URLSearchParams(`q=${asked[1] ?? ""}`).get("q");
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
    const isSlash = event.key === "/" && !event.target.closest("input, textarea, select");
    if (!isSlash && (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    search();
  });
})();
