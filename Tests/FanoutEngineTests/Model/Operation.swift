import FanoutEngine
import FanoutTestSupport
import TestFixtures

/// Something that is done to a hub, from outside or inside of a receiver.
enum Operation: Sendable {
  /// Sends the next number.
  case send
  /// Sends the next number as of the connection before the current one.
  case sendLate
  case finish
  /// Attaches the next receiver, with an initial demand, terms of its own, and operations to do while it receives its
  /// subscription.
  case attach(asking: Int, on: Terms?, whileTold: [Operation])
  /// Asks for more on behalf of a receiver, counted modulo those that there are.
  case ask(Int, Int)
  case cancel(Int)
  case open
  case close
  /// Gives the replay up.
  case clear
}

/// The terms on which a receiver joins.
struct Terms: Sendable {
  enum Place: CaseIterable, Sendable {
    case replay, live, last, after, afterOrReplay, afterOrNextStart, nextStart
  }

  let place: Place
  let backlog: BacklogKind
  /// The number of values that may wait.
  let count: Int

  /// The number of the last values at which a receiver joins.
  static let lastCount = 1

  /// Whether a receiver that joins behind a value knows this number.
  static func knows(_ number: Int) -> Bool { number % 4 == 2 }

  /// The terms that a hub can keep.
  func possible(_ kind: RetentionKind, _ hub: BacklogKind?) -> Terms {
    let needsKeyframes = place == .nextStart || place == .afterOrNextStart
    return Terms(
      place: needsKeyframes && kind != .replay(.sinceKeyframe) ? .live : place,
      backlog: backlog == .waits && hub != .waits ? .unbounded : backlog, count: count)
  }
}

extension Operation: CustomStringConvertible {
  var description: String {
    switch self {
    case .send: "send"
    case .sendLate: "send late"
    case .finish: "finish"
    case .attach(let credit, let terms, let whileTold):
      "attach asking \(credit)"
        + (terms.map { " at \($0.place), \($0.backlog) \($0.count)" } ?? "")
        + ", while told \(whileTold)"
    case .ask(let receiver, let count): "ask \(count) for \(receiver)"
    case .cancel(let receiver): "cancel \(receiver)"
    case .open: "open"
    case .close: "close"
    case .clear: "clear"
    }
  }
}

/// The retention of a hub, for making both the hub and the reference: the policies of replay, and what
/// only the engine knows.
enum RetentionKind: CaseIterable, Equatable, Sendable {
  case replay(Policy)
  /// The newest value, which the end overtakes.
  case newestOvertaken
  case lastOne
  /// A cache whose contents, the newest value, stand for everything recorded.
  case snapshot

  static let allCases = Policy.allCases.map(replay) + [.newestOvertaken, .lastOne, .snapshot]
  static let lossless = Policy.lossless.map(replay) + [.lastOne]

  /// The retention of numbers.
  var numbers: RetentionPolicy<Int> { retention { $0 } }

  func retention<Value>(_ number: @escaping @Sendable (Value) -> Int) -> RetentionPolicy<Value> {
    switch self {
    case .replay(let policy): policy.retention(number)
    case .newestOvertaken: .newest(overtakenByEnd: true)
    case .lastOne: .last(1)
    case .snapshot:
      .custom {
        var contents: [Value] = []
        return CustomCache(
          record: { contents = [$0] }, contents: { contents }, isSnapshot: true)
      }
    }
  }

  /// The replay after these numbers.
  func replay(after numbers: [Int]) -> [Int] {
    switch self {
    case .replay(let policy): policy.remembered(of: numbers)
    case .newestOvertaken, .lastOne, .snapshot: numbers.suffix(1)
    }
  }
}

/// A policy for the values that wait for one receiver: at most two of them.
enum BacklogKind: CaseIterable, Sendable {
  case unbounded, dropsOldest, dropsNewest, ends, rejoins, waits

  static let count = 2

  func policy<Element>(_ count: Int = Self.count) -> BacklogPolicy<Element, String> {
    switch self {
    case .unbounded: .unbounded
    case .dropsOldest: .droppingOldest(count)
    case .dropsNewest: .droppingNewest(count)
    case .ends: .ending(count) { "full" }
    case .rejoins: .rejoining(count)
    case .waits: .waiting(count)
    }
  }
}

extension SeededChance {
  /// A random operation; `depth` says how deep attaching may still nest.
  mutating func operation(depth: Int = 1) -> Operation {
    switch Int.random(in: 0..<41, using: &self) {
    case 0..<18: .send
    case 18: .sendLate
    case 19: .finish
    case 20..<26:
      .attach(
        asking: [0, 1, 2, 1_000_000].randomElement(using: &self) ?? 0,
        on: Bool.random(using: &self) ? terms() : nil,
        whileTold: depth == 0
          ? [] : (0..<Int.random(in: 0...2, using: &self)).map { _ in operation(depth: 0) })
    case 26..<34:
      .ask(Int.random(in: 0..<100, using: &self), Int.random(in: 1...3, using: &self))
    case 34..<37: .cancel(Int.random(in: 0..<100, using: &self))
    case 37, 38: .open
    case 39: .close
    default: .clear
    }
  }

  private mutating func terms() -> Terms {
    Terms(
      place: Terms.Place.allCases.randomElement(using: &self) ?? .replay,
      backlog: BacklogKind.allCases.randomElement(using: &self) ?? .unbounded,
      count: Int.random(in: 1...3, using: &self))
  }
}
