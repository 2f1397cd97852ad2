/// A backlog's record of a value that it holds.
struct Entry: Sendable {
  /// The position of the value: the number of values that the hub had accepted before it; `.min` if it has none.
  let position: Int
  /// The number of values that the receiver has missed in front of it.
  var missed = 0
  /// Whether it is from before the receiver joined.
  let isReplayed: Bool
  /// Whether it is a header in front of the place at which the receiver has started.
  var isInFront: Bool
  /// Whether it is in no account: a header that the receiver gets with the start for which it has waited.
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

/// The entries of the values that a backlog holds, oldest first, with the gaps between them.
///
/// Each operation here goes with the same one on the values. What is removed from the front costs O(1), amortised.
struct Entries: Sendable {
  /// The entries, of which those before `head` are removed.
  private var list: [Entry] = []
  private var head = 0
  /// The number of values missed behind all entries.
  private(set) var missedBehind = 0
  /// Whether an unknown number of values was lost before the receiver joined.
  var hasUnknownGap = false
  private var isCaughtUp = false
  /// Whether the first gap begins in the replay, so that it is told before the receiver has caught up.
  private var reachesReplay = false

  init() {}

  var count: Int { list.count &- head }

  var last: Entry? { count > 0 ? list[list.count &- 1] : nil }

  subscript(index: Int) -> Entry { list[head &+ index] }

  /// The entries from an index on.
  func suffix(from index: Int) -> ArraySlice<Entry> { list[(head &+ index)...] }

  mutating func append(_ entry: Entry) {
    list.append(entry)
    list[list.count &- 1].missed = missedBehind
    missedBehind = 0
  }

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

  /// Removes and returns the newest entry, for a value that is to find its place, with the gap in front of it.
  mutating func removeLast() -> Entry { list.removeLast() }

  /// Puts a removed entry back at the end, behind its own gap and that of others that were not put back.
  mutating func putBack(_ entry: Entry, missing others: Int) {
    list.append(entry)
    list[list.count &- 1].missed &+= others
  }

  /// Notes values that the receiver misses behind all entries.
  mutating func miss(_ count: Int) { missedBehind &+= count }

  /// Drops an entry; returns how many values are missed by that.
  mutating func drop(_ index: Int) -> Int {
    let dropped = list[head &+ index]
    let missed = dropped.isContext ? 0 : 1
    if dropped.isReplayed, !isCaughtUp { reachesReplay = true }
    let gap = dropped.missed &+ missed
    if index &+ 1 == count {
      missedBehind &+= gap
      list.removeLast()
      return missed
    }
    list[head &+ index &+ 1].missed &+= gap
    // Those in front move up by one, as they do among the values.
    for place in (head..<head &+ index).reversed() { list[place &+ 1] = list[place] }
    removeFirst()
    return missed
  }

  /// Keeps some entries, with which the receiver starts anew; returns how many values are missed by that.
  ///
  /// All that it has missed is one gap: in front of everything if that begins in the replay, or else behind what is
  /// left of the replay, and behind the first `reserved` entries.
  mutating func restart(behind reserved: Int, keeping isKept: (Int, Entry) -> Bool) -> Int {
    var (kept, missed, lost): ([Entry], Int, Int) = ([], 0, missedBehind)
    var reaches = reachesReplay
    for index in 0..<count {
      let entry = self[index]
      if !isKept(index, entry) {
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
    (list, head, missedBehind) = (kept, 0, 0)
    let place =
      reserved > 0 ? reserved : reaches ? 0 : kept.firstIndex { !$0.isReplayed } ?? kept.count
    if place < kept.count { list[place].missed = lost } else { missedBehind = lost }
    reachesReplay = reaches && reserved == 0 && !isCaughtUp && lost > 0
    return missed
  }

  /// Marks the kept entries that lie before a position, behind the first `reserved` ones, as headers in front.
  mutating func markInFront(before position: Int, behind reserved: Int) {
    for index in (head &+ reserved)..<list.count where list[index].position < position {
      list[index].isInFront = true
    }
  }

  /// The gap in front of the next value.
  private var nextGap: Int { count > 0 ? list[head].missed : missedBehind }

  /// Takes the notice that goes in front of the next value, if there is one; `isBehindReplay` says whether values of
  /// the replay wait in front of all entries.
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
    if count > 0 { list[head].missed = 0 } else { missedBehind = 0 }
    reachesReplay = false
    return .missed(gap)
  }

  /// Returns whether a notice waits in front of the next value.
  func hasNotice(behindReplay isBehindReplay: Bool) -> Bool {
    hasUnknownGap || hasCaughtUp(behindReplay: isBehindReplay) || nextGap > 0 && !isBehindReplay
  }

  /// Returns whether the receiver has got its replay, and was not told so.
  private func hasCaughtUp(behindReplay isBehindReplay: Bool) -> Bool {
    guard !isCaughtUp, !isBehindReplay, count == 0 || !list[head].isReplayed else { return false }
    return !(reachesReplay && nextGap > 0)
  }
}
