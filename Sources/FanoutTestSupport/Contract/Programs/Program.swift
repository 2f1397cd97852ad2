internal import Fanout

extension DeliveryContract {
  /// What is done to a publisher from outside, and what its subscribers do when they are called.
  ///
  /// It is plain data: the same program can be run on a model and on the real thing, shortened as
  /// long as it still fails, and printed as Swift.
  ///
  /// ```swift
  /// import FanoutTestSupport
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
    /// What is done from outside, in this order.
    public var steps: [Step]
    /// What a subscriber or the upstream does inside of a call.
    public var reactions: [Moment: [Step]]

    /// Makes a program.
    ///
    /// - Parameters:
    ///   - steps: What is done from outside.
    ///   - reactions: What a subscriber does inside of a call.
    public init(steps: [Step], reactions: [Moment: [Step]] = [:]) {
      self.steps = steps
      self.reactions = reactions
    }

    /// The program as Swift.
    public var description: String { text }

    /// The moments at which something is done, in a fixed order.
    var moments: [Moment] {
      reactions.keys.sorted { ($0.subscriber, $0.call.order) < ($1.subscriber, $1.call.order) }
    }
  }
}

extension DeliveryContract.Moment.Call {
  /// Earlier calls come first.
  var order: Int {
    switch self {
    case .subscription: 0
    case .value(let count), .asked(let count): count
    case .completion: .max
    }
  }
}
