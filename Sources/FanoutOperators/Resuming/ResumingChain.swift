// Invariant: a receiver's chain is set when the receiver is made and only read afterwards; any
// thread may read a weak reference.

package import FanoutEngine

/// A queue of the calls that subscribe to the publishers that follow others.
///
/// If a publisher fails while it is subscribed to, the next such call would run inside that one,
/// and in a recursion of such operators without end. So the thread that subscribes first makes all
/// calls, one after the other.
package final class ResumingSteps {
  package let waiting = Lock<[() -> Void]>([])
  private let drain = Drain()

  init() { noteCreation(of: self, isPart: true) }

  /// Runs a call that subscribes, after those that came before it.
  func run(_ step: @escaping () -> Void) {
    waiting.withLock { $0.append(step) }
    guard drain.announce(.queued) else { return }
    drain.run { _ in
      while let step = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { step() }
      return .done([])
    }
  }
}

/// A subscription that may have continued and is the source of another that may.
package protocol ResumingSource {
  var chain: ResumingChain? { get }
}

/// The receivers that take over when an upstream has ended, one after the other: a new one each
/// time the publisher that follows has ended and another follows it.
package final class ResumingChain {
  package struct State {
    package var current: (any ChainedReceiver)?
    var isCancelled = false
    var disallowsDrops = false
  }

  package let state = Lock(State())
  package let steps: ResumingSteps

  /// Makes a chain.
  ///
  /// - Parameter source: The upstream that has ended. If that has a chain too, both chains use one
  ///   queue.
  init(after source: DeliverySource? = nil) {
    steps = (source as? any ResumingSource)?.chain?.steps ?? ResumingSteps()
    noteCreation(of: self, isPart: true)
  }

  /// Replaces the current receiver; returns false after a cancel.
  func goOn(with receiver: any ChainedReceiver) -> Bool {
    let (last, isWanted) = state.withLock { state -> ((any ChainedReceiver)?, Bool) in
      guard !state.isCancelled else { return (nil, false) }
      defer { state.current = receiver }
      return (state.current, true)
    }
    withExtendedLifetime(last) {}
    return isWanted
  }

  /// Passes a request to the current receiver.
  package func request(_ credit: Credit) {
    // A receiver that refuses has been replaced already, or never will be.
    var asked: (any ChainedReceiver)?
    while let receiver = state.withLock({ $0.current }), receiver !== asked {
      if receiver.note(credit) { return }
      asked = receiver
    }
  }

  /// Whether the sources of its receivers are not to drop what is not requested.
  var disallowsDrops: Bool { state.withLock { $0.disallowsDrops } }

  func disallowDrops() -> Bool {
    let receiver = state.withLock { state in
      state.disallowsDrops = true
      return state.current
    }
    return receiver?.disallowDrops() ?? false
  }

  func cancel() {
    let last = state.withLock { state in
      defer { state.current = nil }
      state.isCancelled = true
      return state.current
    }
    last?.cancel()
  }
}

/// A receiver that takes over when an upstream has ended.
package protocol ChainedReceiver: ChainNode {
  /// Returns whether the receiver has a source that drops what is not requested.
  func disallowDrops() -> Bool
  /// Notes a request; returns false if another receiver has taken over.
  func note(_ credit: Credit) -> Bool
}

/// The demand of a receiver that takes over, which may arrive while there is no source to pass it
/// to.
struct EarlyCredit: ~Copyable {
  // Not private: Swift 6.3 crashes when it compiles that for another file without optimisation.
  struct State {
    var early = Credit.none
    var hasSource = false
    var isOver = false
  }

  private let state = Lock(State())

  /// Notes a request, and passes it on if there is a source; returns false if another receiver has
  /// taken over.
  borrowing func add(_ credit: Credit, orAsk ask: (Credit) -> Void) -> Bool {
    let (isNow, isOver) = state.withLock { state in
      if !state.hasSource { state.early = state.early + credit }
      return (state.hasSource, state.isOver)
    }
    guard !isOver else { return false }
    if isNow, credit != .none { ask(credit) }
    return true
  }

  /// Passes all earlier requests to the source; later ones are passed at once.
  borrowing func pass(to ask: (Credit) -> Void) {
    let early = state.withLock { state in
      // The source may come twice.
      guard !state.hasSource else { return Credit.none }
      state.hasSource = true
      return state.early
    }
    if early != .none { ask(early) }
  }

  /// Returns the noted demand, for the receiver that takes over and is in the chain already.
  borrowing func handOver() -> Credit {
    state.withLock { state in
      state.isOver = true
      return state.early
    }
  }
}
