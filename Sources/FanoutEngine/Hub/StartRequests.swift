// Relaxed load and adds: invariant: only the holder of the hub's drain begins and ends; an action of the scheduler
// that sees an older number makes one request more or one less, as if it had run a moment before or after.

internal import Synchronization

/// The requests for a start that an upstream gets while a receiver waits for one.
///
/// An action that it gives to a scheduler retains this object and not the hub.
public final class StartRequests: Sendable {
  /// The number of times that waiting has begun or ended; odd while somebody waits.
  let epoch = AtomicValue<Int>(0)
  package let request: @Sendable () -> Void
  package let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Creates requests.
  ///
  /// - Parameters:
  ///   - request: The closure that asks for a start.
  ///   - schedule: The closure that schedules an action after the interval.
  public init(
    request: @escaping @Sendable () -> Void,
    schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    self.request = request
    self.schedule = schedule
    noteCreation(of: self, isPart: true)
  }

  /// Asks at once and then again and again, or stops asking, as somebody waits or nobody does.
  @usableFromInline
  func update(isAwaited: Bool) {
    let known = epoch.load(ordering: .relaxed)
    guard isAwaited != (known & 1 == 1) else { return }
    epoch.wrappingAdd(1, ordering: .relaxed)
    if isAwaited { ask(known + 1) }
  }

  private func ask(_ number: Int) {
    guard epoch.load(ordering: .relaxed) == number else { return }
    request()
    schedule { self.ask(number) }
  }
}
