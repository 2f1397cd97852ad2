/// The ends after which a shared publisher starts again for its next subscriber.
///
/// By default, with `[]`, an ended connection stays: a later subscriber gets its replay and its
/// end, and the work is not run again. After an end in the set, attached subscribers still get that
/// end. The next subscriber, also one that subscribes while it receives that end, starts a new
/// connection with a clean cache. Values of the old and the new one never mix. The old replay is
/// released when the next connection has begun and the last subscriber of the old one has left. A
/// read of ``SharedPublisher/status`` or ``SharedPublisher/replayed`` can release it earlier,
/// because they show the next connection.
///
/// An upstream can end before its `subscribe` returns, as ``Fail`` does. `catch` and `retry(_:)`
/// can then try again as often as you like. A sink that subscribes again inside its completion
/// calls itself: each attempt nests in the one before, and some thousand fill the stack. Put
/// `receive(on:)` in front of such a sink.
///
/// ```swift
/// import Fanout
///
/// struct Offline: Error {}
///
/// let attempts = CurrentValueSubject<Int, Never>(0)
/// let request = Deferred { () -> AnyPublisher<String, Offline> in
///   attempts.value += 1
///   guard attempts.value > 1 else { return Fail(error: Offline()).eraseToAnyPublisher() }
///   return Just("here").setFailureType(to: Offline.self).eraseToAnyPublisher()
/// }.share(replay: .all, restart: .afterFailure)
/// for number in 1...3 {
///   _ = request.sink {
///     if case .failure = $0 { print(number, "fails") } else { print(number, "finishes") }
///   } receiveValue: {
///     print(number, $0)
///   }
/// }
/// print(attempts.value, "attempts")
/// // Prints:
/// // 1 fails
/// // 2 here
/// // 2 finishes
/// // 3 here
/// // 3 finishes
/// // 2 attempts
/// ```
public struct Restart: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: Int

  /// Creates a set from its bits.
  ///
  /// - Parameter rawValue: The bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Starts again after the upstream has finished.
  public static let afterFinish = Restart(rawValue: 1)
  /// Starts again after the upstream has failed.
  public static let afterFailure = Restart(rawValue: 2)
}
