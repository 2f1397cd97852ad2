// Every function here is called by the holder of the drain.

extension Hub {
  /// Gives a newcomer the last values of the replay.
  @inlinable
  func give(last count: Int, to cursor: Cursor<Element, End>) {
    guard rules.mode == .log else {
      let headers = retention.cache?.headers?() ?? []
      let values = replayContents().dropFirst(headers.count)
      return giveContents(headers + values.suffix(count), to: cursor)
    }
    let place = max(retention.log.start, retention.log.end &- min(count, retention.log.cachedCount))
    give(headers(before: place), to: cursor)
    guard place < retention.log.end, var chunk = retention.log.startChunk else { return }
    while place >= chunk.end, let next = chunk.next { chunk = next }
    rest(cursor, at: place, in: chunk)
    setBehind(cursor, true)
    if rules.keepsUndelivered { moveStart(to: retention.log.end) }
  }

  /// Returns the newest headers from before a place in the replay.
  @inlinable
  func headers(before place: Int) -> [(place: Int, value: Element)] {
    guard let known = retention.starting.headers, let newest = rules.makeHeaders?() else {
      return []
    }
    for header in known.contents(retention.starting.clearedAt) {
      _ = newest.record(header.value, header.place)
    }
    var index = retention.log.start
    var chunk = retention.log.startChunk
    while let current = chunk, index < place {
      while index < min(current.end, place) {
        _ = newest.record(current.slot(index).pointee, index &+ retention.starting.offLog)
        index &+= 1
      }
      chunk = current.next
    }
    return newest.contents(.min)
  }

  /// Returns the number of values of the replay behind the newest one for which a closure returns true; nil if there
  /// is none.
  @inlinable
  func countAfter(_ isKnown: (Element) -> Bool) -> Int? {
    guard rules.mode == .log else {
      let contents = Array(replayContents().dropFirst(retention.cache?.headers?().count ?? 0))
      return contents.lastIndex(where: isKnown).map { contents.count &- 1 &- $0 }
    }
    var known: Int?
    var index = retention.log.start
    var chunk = retention.log.startChunk
    while let current = chunk, index < retention.log.end {
      while index < current.end {
        if isKnown(current.slot(index).pointee) { known = index }
        index &+= 1
      }
      chunk = current.next
    }
    return known.map { retention.log.end &- 1 &- $0 }
  }

  /// The replay of a hub that has no log.
  @inlinable
  func replayContents() -> [Element] {
    switch rules.mode {
    case .custom: retention.cache?.contents() ?? []
    case .newest: [retention.cachedNewest].compactMap { $0 }
    case .lossy, .log: []
    }
  }
}
