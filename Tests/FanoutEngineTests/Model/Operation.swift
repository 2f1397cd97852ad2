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
  /// Lets time pass.
  case pass
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
  /// Whether the receiver takes only some values.
  var selects = false

  /// The number of the last values at which a receiver joins.
  static let lastCount = 1

  /// Whether a receiver that joins behind a value knows this number.
  static func knows(_ number: Int) -> Bool { number % 4 == 2 }

  /// Whether a receiver that takes only some values takes this number.
  static func takes(_ number: Int) -> Bool { number % 3 != 0 }

  /// The terms that a hub can keep.
  func possible(_ kind: RetentionKind, _ hub: BacklogKind?) -> Terms {
    let needsKeyframes = place == .nextStart || place == .afterOrNextStart
    return Terms(
      place: needsKeyframes && kind != .replay(.sinceKeyframe) ? .live : place,
      backlog: backlog == .waits && hub != .waits ? .unbounded : backlog, count: count,
      selects: selects)
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
        + (terms.map {
          " at \($0.place), \($0.backlog) \($0.count)\($0.selects ? ", only some" : "")"
        } ?? "")
        + ", while told \(whileTold)"
    case .ask(let receiver, let count): "ask \(count) for \(receiver)"
    case .cancel(let receiver): "cancel \(receiver)"
    case .open: "open"
    case .close: "close"
    case .clear: "clear"
    case .pass: "pass"
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
  /// The oldest are dropped beyond what the values may cost together.
  case dropsCostly
  /// The oldest are dropped that are older than one unit of time.
  case dropsOld
  /// Beyond the number one stays for each key.
  case conflates

  static let count = 2

  /// What a number costs.
  static func cost(of number: Int) -> Int { number % 3 }

  /// What the numbers may cost together.
  static func limit(_ count: Int) -> Int { 2 * count }

  /// The key by which numbers are conflated.
  static func key(of number: Int) -> Int { number % 3 }

  func policy(_ ticks: Ticks, _ count: Int = Self.count) -> BacklogPolicy<Int, String> {
    switch self {
    case .dropsCostly:
      .droppingOldest(.max).limited(
        by: ValueLimits(cost: (of: Self.cost, limit: Self.limit(count))))
    case .dropsOld:
      .droppingOldest(.max).limited(by: ValueLimits(age: ({ Int64(ticks.now) }, limit: 1)))
    case .conflates: .conflating(count, Conflation(makeIndex: KeyIndex.make))
    case .unbounded: .unbounded
    case .dropsOldest: .droppingOldest(count)
    case .dropsNewest: .droppingNewest(count)
    case .ends: .ending(count) { "full" }
    case .rejoins: .rejoining(count)
    case .waits: .waiting(count)
    }
  }
}

/// The time of a world.
final class Ticks {
  var now = 0
}

/// An index of numbers by their keys.
private final class KeyIndex {
  private var places: [Int: Int] = [:]

  static func make() -> ConflationIndex<Int> {
    let index = KeyIndex()
    return ConflationIndex { number, place, first in
      let key = BacklogKind.key(of: number)
      if let known = index.places[key], known >= first { return known }
      index.places[key] = place
      return place
    } copy: {
      index.places
    }
  }
}

extension SeededChance {
  /// A random operation; `depth` says how deep attaching may still nest, and `mayPass` whether time may pass.
  mutating func operation(depth: Int = 1, mayPass: Bool = true) -> Operation {
    switch Int.random(in: 0..<(mayPass ? 46 : 41), using: &self) {
    case 0..<18: .send
    case 18: .sendLate
    case 19: .finish
    case 20..<26:
      .attach(
        asking: [0, 1, 2, 1_000_000].randomElement(using: &self) ?? 0,
        on: Bool.random(using: &self) ? terms() : nil,
        whileTold: depth == 0
          ? []
          : (0..<Int.random(in: 0...2, using: &self)).map { _ in operation(depth: 0, mayPass: false)
          })
    case 26..<34:
      .ask(Int.random(in: 0..<100, using: &self), Int.random(in: 1...3, using: &self))
    case 34..<37: .cancel(Int.random(in: 0..<100, using: &self))
    case 37, 38: .open
    case 39: .close
    case 40: .clear
    default: .pass
    }
  }

  private mutating func terms() -> Terms {
    Terms(
      place: Terms.Place.allCases.randomElement(using: &self) ?? .replay,
      backlog: BacklogKind.allCases.randomElement(using: &self) ?? .unbounded,
      count: Int.random(in: 1...3, using: &self),
      selects: Int.random(in: 0..<3, using: &self) == 0)
  }
}
