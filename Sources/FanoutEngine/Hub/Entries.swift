/// A backlog's record of a value that it holds.
struct Entry: Sendable {
  /// The position of the value: the number of values that the hub had accepted before it; `.min` if
  /// it has none.
  let position: Int
  /// The number of values that the receiver has missed in front of it.
  var missed = 0
  /// Whether it is from before the receiver joined.
  let isReplayed: Bool
  /// Whether it is a header in front of the place at which the receiver has started.
  var isInFront: Bool
  /// Whether it is in no account: a header that the receiver gets with the start for which it has
  /// waited.
  let isContext: Bool

  init(
    at position: Int, isReplayed: Bool = false, isInFront: Bool = false, isContext: Bool = false
  ) {
    self.position = position
    self.isReplayed = isReplayed
    self.isInFront = isInFront
    self.isContext = isContext
  }
}

/// A queue of entries, oldest first; what is removed from the front costs O(1), amortised.
struct EntryQueue: Sendable {
  /// The entries, of which those before `head` are removed.
  private var list: [Entry] = []
  private var head = 0

  init() {}

  var count: Int { list.count &- head }

  /// The entries in an array.
  var all: ArraySlice<Entry> { list[head...] }

  subscript(index: Int) -> Entry {
    get { list[head &+ index] }
    set { list[head &+ index] = newValue }
  }

  mutating func append(_ entry: Entry) { list.append(entry) }

  mutating func append(contentsOf other: EntryQueue) { list += other.all }

  /// Puts entries in front of all others.
  mutating func prepend(_ entries: [Entry]) {
    list.replaceSubrange(..<head, with: entries)
    head = 0
  }

  mutating func removeFirst() {
    head &+= 1
    // So that each entry is moved once at most, amortised.
    guard head == list.count || (head > 32 && head > list.count / 2) else { return }
    list.removeFirst(head)
    head = 0
  }

  mutating func removeLast() -> Entry { list.removeLast() }
}

/// The entries of the values that a backlog holds, with the gaps between them.
///
/// Each operation here goes with the same one on the values.
struct Entries: Sendable {
  /// The entries of the values that are reserved for the receiver, in front of the others.
  private(set) var reserved = EntryQueue()
  /// The entries of the values that count.
  private(set) var live = EntryQueue()
  /// The number of values missed behind all entries.
  private(set) var missedBehind = 0
  /// Whether an unknown number of values was lost before the receiver joined.
  var hasUnknownGap = false
  private var isCaughtUp = false
  /// Whether the first gap begins in the replay, so that it is told before the receiver has caught
  /// up.
  private var reachesReplay = false

  init() {}

  /// The entry of the next value.
  var next: Entry? { reserved.count > 0 ? reserved[0] : live.count > 0 ? live[0] : nil }

  var last: Entry? { live.all.last ?? reserved.all.last }

  mutating func append(_ entry: Entry) {
    live.append(entry)
    live[live.count &- 1].missed = missedBehind
    missedBehind = 0
  }

  /// Reserves all values.
  mutating func reserve() {
    reserved.append(contentsOf: live)
    live = EntryQueue()
  }

  /// Lets the values that are reserved count.
  mutating func endReserve() {
    reserve()
    swap(&reserved, &live)
  }

  /// Puts entries of values that are reserved in front of all others.
  mutating func prepend(_ entries: [Entry]) { reserved.prepend(entries) }

  mutating func removeFirst() {
    if reserved.count > 0 { reserved.removeFirst() } else { live.removeFirst() }
  }

  /// Removes and returns the newest entry, for a value that is to find its place, with the gap in
  /// front of it.
  mutating func removeLast() -> Entry { live.removeLast() }

  /// Puts a removed entry back at the end, behind its own gap and that of others that were not put
  /// back.
  mutating func putBack(_ entry: Entry, missing others: Int) {
    live.append(entry)
    live[live.count &- 1].missed &+= others
  }

  /// Notes values that the receiver misses behind all entries.
  mutating func miss(_ count: Int) { missedBehind &+= count }

  /// Drops the oldest entry of those that count; returns how many values are missed by that.
  mutating func dropOldest() -> Int {
    let dropped = live[0]
    live.removeFirst()
    let missed = noteDropped(dropped)
    if live.count > 0 {
      live[0].missed &+= dropped.missed &+ missed
    } else {
      missedBehind &+= dropped.missed &+ missed
    }
    return missed
  }

  /// Drops the newest entry; returns how many values are missed by that.
  mutating func dropNewest() -> Int {
    let dropped = live.removeLast()
    let missed = noteDropped(dropped)
    missedBehind &+= dropped.missed &+ missed
    return missed
  }

  private mutating func noteDropped(_ entry: Entry) -> Int {
    if entry.isReplayed, !isCaughtUp { reachesReplay = true }
    return entry.isContext ? 0 : 1
  }

  /// Keeps some of the entries that count, with which the receiver starts anew; returns how many
  /// values are missed by that.
  ///
  /// All that it has missed of them is one gap: in front of everything if that begins in the
  /// replay, or else behind what is left of the replay, and behind what is reserved.
  mutating func restart(keeping isKept: (Entry) -> Bool) -> Int {
    var (kept, missed, lost): ([Entry], Int, Int) = ([], 0, missedBehind)
    var reaches = reachesReplay
    for entry in live.all {
      if !isKept(entry) {
        if !entry.isContext { missed &+= 1 }
        if entry.isReplayed { reaches = true }
      } else {
        kept.append(entry)
        kept[kept.count &- 1].missed = 0
      }
      if entry.missed > 0, entry.isReplayed { reaches = true }
      lost &+= entry.missed
    }
    lost &+= missed
    let hasReserved = reserved.count > 0
    let place =
      hasReserved || reaches ? 0 : kept.firstIndex { !$0.isReplayed } ?? kept.count
    if place < kept.count { kept[place].missed = lost }
    missedBehind = place < kept.count ? 0 : lost
    live = EntryQueue()
    live.prepend(kept)
    reachesReplay = reaches && !hasReserved && !isCaughtUp && lost > 0
    return missed
  }

  /// Marks the entries of values that count and lie before a position as headers in front.
  mutating func markInFront(before position: Int) {
    for index in 0..<live.count where live[index].position < position {
      live[index].isInFront = true
    }
  }

  /// The gap in front of the next value.
  private var nextGap: Int { next?.missed ?? missedBehind }

  /// Takes the notice that goes in front of the next value, if there is one; `isBehindReplay` says
  /// whether values of the replay wait in front of all entries.
  mutating func takeNotice(behindReplay isBehindReplay: Bool) -> GapNotice? {
    if hasUnknownGap {
      hasUnknownGap = false
      return .missed(nil)
    }
    if hasCaughtUp(behindReplay: isBehindReplay) {
      isCaughtUp = true
      return .caughtUp
    }
    let gap = nextGap
    guard gap > 0, !isBehindReplay else { return nil }
    if reserved.count > 0 {
      reserved[0].missed = 0
    } else if live.count > 0 {
      live[0].missed = 0
    } else {
      missedBehind = 0
    }
    reachesReplay = false
    return .missed(gap)
  }

  /// Returns whether a notice waits in front of the next value.
  func hasNotice(behindReplay isBehindReplay: Bool) -> Bool {
    hasUnknownGap || hasCaughtUp(behindReplay: isBehindReplay) || nextGap > 0 && !isBehindReplay
  }

  /// Returns whether the receiver has got its replay, and was not told so.
  private func hasCaughtUp(behindReplay isBehindReplay: Bool) -> Bool {
    guard !isCaughtUp, !isBehindReplay, next?.isReplayed != true else { return false }
    return !(reachesReplay && nextGap > 0)
  }
}
