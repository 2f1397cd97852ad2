package import Fanout
import FanoutContract

/// A chain of operators, the steps performed on it from every side, and the reactions inside calls.
///
/// A program is plain data: it can be played with Fanout's operators and with the reference's,
/// shortened as long as it still fails, and printed as Swift.
package struct Program: Hashable, Sendable {
  /// The publisher.
  package var chain: Chain
  /// The consumer that subscribes to the chain.
  package var consumer: Consumer
  /// The steps performed from outside, in order.
  package var steps: [Step]
  /// The steps performed inside calls.
  package var reactions: [Moment: [Step]]

  package init(
    _ chain: Chain, _ consumer: Consumer = .subscriber(.unlimited), steps: [Step],
    reactions: [Moment: [Step]] = [:]
  ) {
    self.chain = chain
    self.consumer = consumer
    self.steps = steps
    self.reactions = reactions
  }
}

/// The kind of subscriber at the end of a chain.
package enum Consumer: Hashable, Sendable {
  /// A subscriber with this initial demand.
  case subscriber(Subscribers.Demand)
  /// `oneByOneSink` with a closure, whose turns end with a step.
  case oneByOne
  /// `oneByOneSink` with an asynchronous closure, whose tasks end with a step.
  case oneByOneTask
  /// An iterator of `values`.
  case values
  /// An iterator of the `values` of a `share(replay: .none)`, of which the newest may wait; nil is no bound.
  case sharedValues(newest: Int?)
}

/// An action of a program on its chain or on its consumer.
package enum Step: Hashable, Sendable {
  /// Makes a driven upstream, numbered in order of subscription, deliver a number.
  case send(Int, Int)
  case finish(Int)
  case fail(Int)
  /// Requests more values.
  case request(Subscribers.Demand)
  /// Returns additional demand from `receive(_:)`; valid only inside it.
  case allow(Subscribers.Demand)
  case cancel
  /// Runs every action of the scheduler, and every task until it waits.
  case run
  /// Makes one of the waiting closures, numbered in order, return.
  case succeed(Int)
  /// Makes one of the waiting closures throw, if it can.
  case `throw`(Int)
  /// Ends the turn of the value that a one-by-one sink handles.
  case resume
  /// Calls `next()` of the iterator in a task of its own.
  case next
  /// Cancels the task of a call of `next()`, numbered in order.
  case cancelTask(Int)
  /// Releases the iterator.
  case drop
}

/// A call inside which a reaction can happen.
package enum Moment: Hashable, Sendable {
  /// The consumer receives its subscription.
  case subscription
  /// The consumer receives a value: the first, the second and so on.
  case value(Int)
  /// The consumer receives the completion.
  case completion
  /// A driven upstream was subscribed to; its subscriber has not received the subscription yet.
  case attached(Int)
  /// The total demand of a driven upstream has reached a number.
  case asked(Int, Int)
  /// A driven upstream is being cancelled.
  case cancelled(Int)
  /// A closure of an operator is called: the first call of any, the second and so on.
  case closure(Int)
}
