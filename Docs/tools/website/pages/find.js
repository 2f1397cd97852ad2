// Finds the entries of the index that answer a question, the best first. It knows no page, so that a gate can run it.
const KINDS = { guide: 16, section: 9, rule: -4, module: 8, structure: 6, class: 6, protocol: 6, enumeration: 4,
  "instance method": 5, "type method": 5, function: 5, initializer: -6, operator: -8, case: -4,
  "type alias": -24, extension: -4 };
// Words that a question has and an answer need not have.
const STOP = new Set(("a about after an and are as at be by can do does for from get gets getting go has have how i if in into is it " +
  "its last me my of on one or started that the them there this to want what when where which who why will with you your").split(" "));
// Other words for what the guides call otherwise; each may be one of several words.
const ALSO = { websocket: ["socket"], sse: ["server sent"], backpressure: ["back pressure", "slow"], diamond: ["glitch"],
  deadlock: ["lock"], ttl: ["within"], install: ["add package"], setup: ["add package"],
  unsubscribe: ["cancel"], dispose: ["cancel"], disposable: ["cancellable"], retain: ["lifetime"],
  cycle: ["leak"], getting: ["add package"], started: ["add package"], performance: ["slow"], benchmark: ["slow"],
  latency: ["slow"], overhead: ["slow"], consumer: ["subscriber", "loop"], consumers: ["subscriber", "loop"],
  listener: ["subscriber"], listeners: ["subscriber"], multiple: ["many"], observable: ["publisher"], leaks: ["leak"] };

/** The words of a name, also those that capitals begin: `dataTaskPublisher(for:)` has data, task, publisher, for. */
const wordsOf = (name) => name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
  .toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);

/** A word without the s of a plural. */
const single = (word) => word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;

/** The rows of the index as entries. */
const entriesOf = (rows) => rows.map(([title, url, kind, where, summary, words], place) => ({
  title, url, kind, where, summary, place, name: title.toLowerCase().replace(/[(<:].*/, "").trim(),
  named: wordsOf(title.split(".").pop()).map(single), placed: wordsOf(`${title.split(".").slice(0, -1)} ${where}`),
  parent: where.split(" · ")[0].split(".").pop().toLowerCase(), said: wordsOf(summary).map(single),
  words: ` ${words.split(" ").map(single).join(" ")} `,
}));

/** How well one word fits an entry; 0 if it does not. */
const fitOf = (entry, word) => {
  if (entry.name === word) return 100;
  const short = entry.name.slice(entry.name.lastIndexOf(".") + 1);
  if (short === word) return 95;
  const one = single(word);
  if (short.startsWith(word)) return 58 - Math.min(20, short.length - word.length);
  if (entry.named.includes(one)) return 60;
  if (entry.named.some((part) => part.startsWith(one))) return 48;
  if (word.length > 4 && entry.named.join("").includes(one)) return 40;
  if (entry.parent === word) return 36;
  if (entry.said.includes(one)) return 28;
  if (entry.said.some((part) => part.startsWith(one))) return 20;
  if (entry.words.includes(` ${one} `)) return 18;
  if (entry.words.includes(` ${one}`)) return 12;
  if (word.length > 4 && entry.words.includes(one)) return 10;
  if (entry.placed.some((part) => part.startsWith(one))) return 8;
  return 0;
};

/** The same, with the other words for it. */
const fitOfAny = (entry, word) => Math.max(fitOf(entry, word),
  ...(ALSO[word] ?? []).map((others) => 0.9 * Math.min(...others.split(" ").map((other) => fitOf(entry, other)))));

/** Whether two words differ by one letter more, less or other, or by two that changed places. */
const isNear = (one, other) => {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [a, b] = [one.slice(same), other.slice(same)];
  return a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1)
    || (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2));
};

/** The word itself, or the nearest one of the index if no entry has it. */
const corrected = (entries, word) => {
  if (word.length < 5 || ALSO[word] || entries.some((entry) => fitOf(entry, word) > 0)) return word;
  const counts = Object.fromEntries(Object.keys(ALSO).filter((other) => isNear(word, other)).map((other) => [other, 1]));
  for (const { named, said, words } of entries) {
    for (const other of [...named, ...said, ...words.split(" ")]) {
      if (other[0] === word[0] && isNear(single(word), other)) counts[other] = (counts[other] ?? 0) + 1;
    }
  }
  return Object.keys(counts).sort((one, other) => counts[other] - counts[one])[0] ?? word;
};

const find = (entries, question) => {
  const all = question.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);
  const wanted = all.filter((word) => !STOP.has(word));
  const words = (wanted.length ? wanted : all).map((word) => corrected(entries, word));
  if (!words.length) return [];
  const fits = entries.map((entry) => words.map((word) => fitOfAny(entry, word)));
  // A word that few entries have says more than one that stands everywhere.
  const weights = words.map((_, at) =>
    Math.log(1 + entries.length / (1 + fits.filter((each) => each[at] > 0).length)));
  const total = weights.reduce((sum, each) => sum + each, 0);
  const whole = words.map(single).join(" ");
  const found = [];
  entries.forEach((entry, at) => {
    const present = fits[at].filter((fit) => fit > 0).length;
    // One word of several may be missing, or of many every third; what is missing costs.
    if (present < Math.max(1, Math.ceil(words.length * 2 / 3 - 0.01))) return;
    let score = fits[at].reduce((sum, fit, place) => sum + (fit || -30) * weights[place], 0) / total + (KINDS[entry.kind] ?? 0);
    // Operators before what else has the same name.
    if (/(^|\.)Publisher ·/.test(entry.where)) score += 4;
    // Pages about another library after those about this one.
    if (/^Coming from/.test(entry.where)) score -= 20;
    // `wait` itself before `wait(atMost:clock:then:)`.
    if (entry.title.toLowerCase() === words.join(" ")) score += 6;
    if (entry.named.join(" ").includes(whole)) score += 15;
    if (words.length > 1 && entry.said.join(" ").includes(whole)) score += 10;
    found.push({ entry, score });
  });
  return found.sort((one, other) => other.score - one.score || one.entry.place - other.entry.place)
    .map(({ entry }) => entry);
};

if (typeof module !== "undefined") module.exports = { entriesOf, find };
