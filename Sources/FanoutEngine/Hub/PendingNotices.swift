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
  /// The numbers of values lost, and the place of the next value behind each of these gaps, ascending.
  var gaps: [(place: Int, count: Int)] = []
  /// Whether an unknown number of values was lost before it joined.
  var hasUnknownGap = false
  var isCaughtUp = false
  /// The place of a gap that begins before it has caught up.
  var gapInReplay: Int?

  init() {}

  /// Notes that values are lost which wait behind `waiting` others, or would; the gaps behind them move up.
  mutating func miss(_ count: Int, behind waiting: Int) {
    guard count > 0 else { return }
    let place = taken &+ waiting
    if waiting < replayLeft {
      gapInReplay = place
      replayLeft = max(waiting, replayLeft &- count)
    }
    // One value after the other may be lost at the end.
    if let last = gaps.last, last.place == place {
      return gaps[gaps.count &- 1].count &+= count
    }
    let end = place &+ count
    let joined = gaps.filter { $0.place >= place && $0.place <= end }
    let behind = gaps.filter { $0.place > end }
    gaps.removeAll { $0.place >= place }
    gaps.append((place, joined.reduce(count) { $0 &+ $1.count }))
    gaps += behind.map { ($0.place &- count, $0.count) }
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
    guard let first = gaps.first, first.place == taken else { return nil }
    gaps.removeFirst()
    if gapInReplay == taken { gapInReplay = nil }
    return .missed(first.count)
  }

  /// Whether a notice waits in front of the next value.
  var hasNext: Bool {
    hasUnknownGap || gaps.first?.place == taken || !isCaughtUp && replayLeft == 0
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
