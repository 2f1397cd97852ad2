package import FanoutEngine

/// The cancellable of an `AnyCancellable` that is not itself a chain node.
package final class Cancelled<Canceller: Cancellable>: ChainNode {
  package let canceller: Canceller

  init(_ canceller: Canceller) {
    self.canceller = canceller
    super.init(isPart: true)
  }

  package override func cancel() { canceller.cancel() }
}

/// A closure that an `AnyCancellable` runs.
package final class CancelledClosure: ChainNode {
  package let run: () -> Void

  init(_ run: @escaping () -> Void) {
    self.run = run
    super.init(isPart: true)
  }

  package override func cancel() { run() }
}
