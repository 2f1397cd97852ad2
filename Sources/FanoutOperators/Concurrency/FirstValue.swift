public import FanoutCore

extension Publisher where Output: Sendable {
  /// Waits for one value, and cancels the subscription then.
  ///
  /// It is a subscriber that requests exactly one value, at once. Of a shared publisher with a
  /// replay that is the first value of the replay; of a ``Future`` its result.
  ///
  /// - Completion: if the publisher finishes without a value, the result is nil.
  /// - Failure: is thrown, if it comes before a value. A publisher that cannot fail needs no `try`.
  /// - Cancel: if the task is cancelled while it waits, or before, the publisher is cancelled and
  ///   the result is nil. `try Task.checkCancellation()` behind the call tells the two apart.
  /// - Concurrency: the caller continues where it runs. The publisher is subscribed to on the
  ///   caller's thread.
  ///
  /// - Parameter actor: The actor on which the caller runs.
  /// - Returns: The value, or nil.
  /// - Throws: The publisher's failure.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Offline: Error {}
  ///
  /// let name = Just("swift").map { $0.uppercased() }
  /// print(await name.firstValue() ?? "none")
  /// print(await Empty<Int, Never>().firstValue() ?? 0)
  /// do {
  ///   _ = try await Fail<Int, Offline>(error: Offline()).firstValue()
  /// } catch {
  ///   print("failed:", error)
  /// }
  /// // Prints:
  /// // SWIFT
  /// // 0
  /// // failed: Offline()
  /// ```
  public func firstValue(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Output? {
    var iterator = values.makeAsyncIterator()
    return try await iterator.next(isolation: actor)
  }
}
