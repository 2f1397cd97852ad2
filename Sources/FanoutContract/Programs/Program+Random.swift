internal import Fanout
internal import FanoutTestSupport

private typealias Step = DeliveryContract.Step
private typealias Moment = DeliveryContract.Moment

extension DeliveryContract.Program {
  /// The kinds of steps that make sense.
  struct Vocabulary: Sendable {
    /// Whether there is a connection to make and to undo.
    var connections: Bool
    /// Whether there is a failure to end with.
    var failures: Bool
  }

  /// The greatest number of subscribers in a random program.
  static var mostSubscribers: Int { 6 }

  /// Makes the program of a seed.
  init(seed: UInt64, _ vocabulary: Vocabulary) {
    var author = Author(dice: SeededChance(seed: seed), vocabulary: vocabulary)
    self.init(steps: author.steps(), reactions: author.reactions())
  }

  /// A generator of one random program.
  ///
  /// Every subscriber and every value occurs once, except in programs in which each occurs twice.
  private struct Author {
    var dice: SeededChance
    let vocabulary: Vocabulary
    var subscribers = 0
    var values = 0
    var isRepetitive = false

    mutating func steps() -> [Step] {
      isRepetitive = Int.random(in: 0..<8, using: &dice) == 0
      let isLong = Int.random(in: 0..<8, using: &dice) == 0
      let count = Int.random(in: isLong ? 19...40 : 3...18, using: &dice)
      return (0..<count).map { _ in step() }
    }

    mutating func reactions() -> [Moment: [Step]] {
      var reactions: [Moment: [Step]] = [:]
      for _ in 0..<Int.random(in: 0...8, using: &dice) where subscribers > 0 {
        let subscriber = Int.random(in: 0..<subscribers, using: &dice)
        let call: Moment.Call =
          switch Int.random(in: 0..<8, using: &dice) {
          case 0, 1: .subscription
          case 2: .completion
          default: .value(Int.random(in: 1...5, using: &dice))
          }
        let isAnswer =
          if case .value = call { Int.random(in: 0..<3, using: &dice) == 0 } else { false }
        reactions[Moment(subscriber, call), default: []]
          .append(isAnswer ? .allow(more()) : step())
      }
      if vocabulary.connections, Int.random(in: 0..<4, using: &dice) == 0 {
        // An upstream that answers synchronously.
        for count in 1...Int.random(in: 1...2, using: &dice) {
          reactions[.upstreamAsked(count)] = (0..<Int.random(in: 1...3, using: &dice)).map { _ in
            Int.random(in: 0..<3, using: &dice) > 0 ? value() : step()
          }
        }
      }
      return reactions
    }

    mutating func step() -> Step {
      switch Int.random(in: 0..<100, using: &dice) {
      case ..<22 where subscribers < mostSubscribers: newcomer()
      case ..<58: value()
      case ..<74: .request(somebody(), more())
      case ..<82: .cancel(somebody())
      case ..<85: vocabulary.failures && Bool.random(using: &dice) ? .fail : .finish
      case ..<94 where vocabulary.connections: .connect
      case _ where vocabulary.connections: .disconnect
      default: value()
      }
    }

    mutating func value() -> Step {
      values += 1
      return .send(isRepetitive ? (values + 1) / 2 : values)
    }

    mutating func newcomer() -> Step {
      subscribers += 1
      let first: Subscribers.Demand =
        switch Int.random(in: 0..<5, using: &dice) {
        case 0, 1: .none
        case 2: .max(1)
        case 3: .max(2)
        default: .unlimited
        }
      return vocabulary.connections && Bool.random(using: &dice)
        ? .attach(subscribers - 1, first) : .subscribe(subscribers - 1, first)
    }

    mutating func more() -> Subscribers.Demand {
      switch Int.random(in: 0..<8, using: &dice) {
      case 0...4: .max(1)
      case 5, 6: .max(Int.random(in: 2...4, using: &dice))
      default: .unlimited
      }
    }

    mutating func somebody() -> Int { Int.random(in: 0..<max(subscribers, 1), using: &dice) }
  }
}
