internal import FanoutEngine

/// What an `AnyCancellable` cancels when that is no link.
final class Cancelled<Canceller: Cancellable>: Link {
  let canceller: Canceller

  init(_ canceller: Canceller) {
    self.canceller = canceller
    super.init(isPart: true)
  }

  override func cancel() { canceller.cancel() }
}

/// A closure that an `AnyCancellable` runs.
final class CancelledClosure: Link {
  let run: () -> Void

  init(_ run: @escaping () -> Void) {
    self.run = run
    super.init(isPart: true)
  }

  override func cancel() { run() }
}

extension Cancelled: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("canceller", canceller)] }
}

extension CancelledClosure: ReferenceListing {
  package var heldReferences: [HeldReference] { [.closure("run", run)] }
}
