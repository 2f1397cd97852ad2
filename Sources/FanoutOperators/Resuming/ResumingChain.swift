// Invariant: a receiver's `chain` is set when the receiver is made and only read afterwards; any
// thread may read a weak reference.

internal import FanoutCore
public import FanoutEngine

/// A queue of the calls that subscribe to the publishers that follow others.
///
/// If a publisher fails while it is subscribed to, the next such call would run inside that one,
/// and in a recursion of such operators without end. So the thread that subscribes first makes all calls,
/// one after the other.
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

/// The receivers that take over when an upstream has ended, one after the other: a new one each time the
/// publisher that follows has ended and another follows it.
package final class ResumingChain {
  package struct State {
    package var current: ChainedReceiver?
    var isCancelled = false
  }

  package let state = Lock(State())
  package let steps: ResumingSteps

  /// Makes a chain.
  ///
  /// - Parameter source: The upstream that has ended. If that has a chain too, both chains use one queue.
  init(after source: DeliverySource? = nil) {
    steps = (source as? any ResumingSource)?.chain?.steps ?? ResumingSteps()
    noteCreation(of: self, isPart: true)
  }

  /// Replaces the current receiver; returns false after a cancel.
  func goOn(with receiver: ChainedReceiver) -> Bool {
    let (last, isWanted) = state.withLock { state -> (ChainedReceiver?, Bool) in
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
    var asked: ChainedReceiver?
    while let receiver = state.withLock({ $0.current }), receiver !== asked {
      if receiver.request(credit) { return }
      asked = receiver
    }
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
@usableFromInline package class ChainedReceiver: ChainNode {
  /// The demand that arrived while there was no source to pass it to.
  private struct Asking {
    var early = Credit.none
    var hasSource = false
    var isOver = false
  }

  private let asking = Lock(Asking())
  /// The chain, not retained: every caller that requests or cancels retains it.
  package private(set) weak var chain: ResumingChain?

  init(in chain: ResumingChain) {
    self.chain = chain
    super.init(isPart: true)
  }

  /// Notes a request; returns false if another receiver has taken over.
  package func request(_ credit: Credit) -> Bool {
    let (isNow, isOver) = asking.withLock { asking in
      if !asking.hasSource { asking.early = asking.early + credit }
      return (asking.hasSource, asking.isOver)
    }
    guard !isOver else { return false }
    if isNow, credit != .none { ask(credit) }
    return true
  }

  /// Passes all earlier requests to the source; later ones are passed at once.
  final func didAttach() {
    let early = asking.withLock { asking in
      // The source may come twice.
      guard !asking.hasSource else { return Credit.none }
      asking.hasSource = true
      return asking.early
    }
    if early != .none { ask(early) }
  }

  /// Returns the noted demand, for the receiver that takes over and is in the chain already.
  final func handOver() -> Credit {
    asking.withLock { asking in
      asking.isOver = true
      return asking.early
    }
  }

  /// Requests values from the source.
  package func ask(_ credit: Credit) {}
}

/// The receiver of a publisher that follows another.
@usableFromInline package class ResumedReceiver<Output, Failure: Error>: ChainedReceiver {
  /// Lets another operator that may continue, and is the whole publisher, receive in place of this receiver.
  ///
  /// So a recursion of `catch` does not build a chain of receivers that grows with each failure.
  /// Returns false, having done nothing, if this receives from another publisher already.
  @usableFromInline
  package func goOn<Step: Resumption>(with step: Step, on upstream: Step.Upstream) -> Bool
  where Step.Output == Output, Step.Failure == Failure {
    fatalError("ResumedReceiver.goOn(with:on:) is abstract; override it in the subclass.")
  }
}

@available(*, unavailable)
extension ResumingSteps: Sendable {}

@available(*, unavailable)
extension ResumingChain: Sendable {}

@available(*, unavailable)
extension ResumingChain.State: Sendable {}

@available(*, unavailable)
extension ChainedReceiver: Sendable {}
