/// An event that a receiver gets which is told more than its values.
public enum Notice<Element> {
  /// A value from before the receiver joined.
  case replayed(Element)
  /// The receiver has got what was there when it joined.
  case caughtUp
  /// A value that was accepted after the receiver had joined.
  case live(Element)
  /// Values were lost on the receiver; nil if their number is unknown.
  case missed(Int?)
}

/// A notice that has no value, so that it is made without the type of the values.
@usableFromInline
package enum GapNotice: Equatable, Sendable {
  case caughtUp
  case missed(Int?)
}

extension Notice {
  /// Creates a notice that has no value.
  @inlinable
  package init(_ notice: GapNotice) {
    self =
      switch notice {
      case .caughtUp: .caughtUp
      case .missed(let count): .missed(count)
      }
  }
}

/// The notices that wait for a receiver, and their places among its values.
@usableFromInline
package struct PendingNotices {
  /// The number of values that it has got.
  var taken = 0
  /// The number of values from before it joined that still wait.
  var replayLeft = 0
  /// The number of values lost in front of the next one.
  var lostInFront = 0
  /// The numbers of values lost behind some of those that wait, in their order.
  var lostBehind: [(place: Int, count: Int)] = []
  /// Whether an unknown number of values was lost before it joined.
  var hasUnknownGap = false
  var isCaughtUp = false
  /// The place of a gap that begins before it has caught up.
  var gapInReplay: Int?

  init() {}

  mutating func miss(_ count: Int, fewer: Int) {
    lostInFront &+= count
    if replayLeft > 0 { gapInReplay = taken }
    // The values in front of the gaps behind have become fewer.
    let gaps = lostBehind.map { (place: $0.place &- fewer, count: $0.count) }
    lostBehind = gaps.filter { $0.place > taken }
    for gap in gaps where gap.place <= taken { lostInFront &+= gap.count }
    replayLeft = max(0, replayLeft &- fewer)
  }

  /// Notes that the values that wait are dropped, or wait behind a start: none is told as replayed any more.
  ///
  /// - Parameter headers: The number of values of the replay that are not missed. If that is all of them, the gap lies
  ///   behind the replay.
  mutating func dropReplay(without headers: Int) {
    if replayLeft > headers { gapInReplay = taken }
    replayLeft = 0
  }

  /// Notes that the receiver starts anew with the last of the values that wait, and headers in front of them.
  ///
  /// All that it has missed is one gap: behind the replay if that is there still, or else in front of everything.
  ///
  /// - Parameters:
  ///   - count: The number of values that it misses.
  ///   - fewer: The number by which the values that wait have become fewer.
  ///   - replay: The number of values of its replay that are left.
  mutating func startAnew(missing count: Int, fewer: Int, keeping replay: Int) {
    let isBehind = replay == replayLeft && replay > 0 && lostInFront == 0
    if !isBehind, replayLeft > 0 { gapInReplay = taken }
    replayLeft = replay
    let place = taken &+ replay
    let gaps = lostBehind.map { (place: $0.place &- fewer, count: $0.count) }
    lostBehind = gaps.filter { $0.place > place }
    let lost = gaps.reduce(count) { $0 &+ ($1.place > place ? 0 : $1.count) }
    guard isBehind else { return lostInFront &+= lost }
    if lost > 0 { lostBehind.insert((place, lost), at: 0) }
  }

  mutating func miss(_ count: Int, behind waiting: Int) {
    guard count > 0 else { return }
    if waiting < replayLeft {
      gapInReplay = taken &+ waiting
      replayLeft = waiting
    }
    let place = taken &+ waiting
    if let last = lostBehind.last, last.place == place {
      lostBehind[lostBehind.count &- 1].count &+= count
    } else {
      lostBehind.append((place, count))
    }
  }

  /// Notes that values are lost which wait behind `waiting` others; the gaps behind them move up.
  mutating func drop(_ count: Int, behind waiting: Int) {
    let place = taken &+ waiting
    var gaps = lostBehind.filter { $0.place < place }
    var lost = count
    for gap in lostBehind where gap.place >= place && gap.place <= place &+ count {
      lost &+= gap.count
    }
    gaps.append((place, lost))
    for gap in lostBehind where gap.place > place &+ count {
      gaps.append((gap.place &- count, gap.count))
    }
    lostBehind = gaps
  }

  /// Notes that values have gone which are not told as missed; their places among those that wait are ascending.
  mutating func shorten(by removed: [Int]) {
    lostBehind = lostBehind.map { gap in
      (place: gap.place &- removed.count { taken &+ $0 < gap.place }, count: gap.count)
    }
  }

  /// Takes the notice that goes in front of the next value, if there is one.
  @usableFromInline
  mutating func take() -> GapNotice? {
    if hasUnknownGap {
      hasUnknownGap = false
      return .missed(nil)
    }
    if !isCaughtUp, replayLeft == 0, gapInReplay != taken {
      isCaughtUp = true
      return .caughtUp
    }
    var lost = lostInFront
    lostInFront = 0
    if let first = lostBehind.first, first.place == taken {
      lost &+= first.count
      lostBehind.removeFirst()
    }
    guard lost > 0 else { return nil }
    if gapInReplay == taken { gapInReplay = nil }
    return .missed(lost)
  }

  /// Whether a notice waits in front of the next value.
  var hasNext: Bool {
    hasUnknownGap || lostInFront > 0 || lostBehind.first?.place == taken
      || !isCaughtUp && replayLeft == 0
  }

  /// Counts a value that the receiver gets; returns whether it is from before the receiver joined.
  @usableFromInline
  mutating func countValue() -> Bool {
    taken &+= 1
    guard replayLeft > 0 else { return false }
    replayLeft &-= 1
    return true
  }
}

@available(*, unavailable)
extension Notice: Sendable {}

@available(*, unavailable)
extension PendingNotices: Sendable {}
