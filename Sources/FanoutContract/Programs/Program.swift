internal import Fanout

extension DeliveryContract {
  /// A sequence of steps performed on a publisher, with the reactions of its subscribers.
  ///
  /// A program is plain data: it can be run on a model and on the publisher under test, shortened
  /// as long as it still fails, and printed as Swift.
  ///
  /// ```swift
  /// import FanoutContract
  ///
  /// let program = DeliveryContract.Program(
  ///   steps: [.subscribe(0, .unlimited), .send(1), .finish],
  ///   reactions: [.init(0, .value(1)): [.send(2)]])
  /// print(program)
  /// // Prints:
  /// // DeliveryContract.Program(
  /// //   steps: [
  /// //     .subscribe(0, .unlimited),
  /// //     .send(1),
  /// //     .finish,
  /// //   ],
  /// //   reactions: [
  /// //     .init(0, .value(1)): [.send(2)]
  /// //   ])
  /// ```
  public struct Program: Hashable, Sendable, CustomStringConvertible {
    /// The steps performed from outside, in order.
    public var steps: [Step]
    /// The steps that a subscriber or the upstream performs inside a call.
    public var reactions: [Moment: [Step]]

    /// Makes a program.
    ///
    /// - Parameters:
    ///   - steps: The steps performed from outside.
    ///   - reactions: The steps that a subscriber or the upstream performs inside a call.
    public init(steps: [Step], reactions: [Moment: [Step]] = [:]) {
      self.steps = steps
      self.reactions = reactions
    }

    /// The program as Swift.
    public var description: String { text }

    /// The moments with a reaction, in a fixed order.
    var moments: [Moment] {
      reactions.keys.sorted { ($0.subscriber, $0.call.order) < ($1.subscriber, $1.call.order) }
    }
  }
}

extension DeliveryContract.Moment.Call {
  /// The rank of the call; earlier calls rank lower.
  var order: Int {
    switch self {
    case .subscription: 0
    case .value(let count), .asked(let count): count
    case .completion: .max
    }
  }
}
