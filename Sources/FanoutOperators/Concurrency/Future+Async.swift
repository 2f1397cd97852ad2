public import FanoutCore
internal import FanoutEngine

extension Future {
  /// Creates a future and starts a task that produces its value.
  ///
  /// The task belongs to the future and to all its subscribers, so a subscriber that cancels does
  /// not stop it. The task is cancelled when the future is deallocated: when nothing retains it any
  /// more, and all its subscribers have cancelled. Unlike a promise, the task does not retain the
  /// future.
  ///
  /// - Parameter operation: The closure that produces the value. It is called once, in a task that
  ///   starts at once, off any actor. Its result is the value, its error the failure.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// func answer() async -> Int { 42 }
  ///
  /// let future = Future { await answer() }
  /// print(await future.value)
  /// // Prints:
  /// // 42
  /// ```
  @preconcurrency
  public convenience init(_ operation: @escaping @Sendable () async throws(Failure) -> Output) {
    self.init()
    let started = startTask { [weak self] in
      let result: Result<Output, Failure>
      do throws(Failure) {
        result = .success(try await operation())
      } catch {
        result = .failure(error)
      }
      self?.fulfill(result)
    }
    task.withLock { $0 = started }
  }
}

// The value comes to the task of the caller, and to the other subscribers where they are.
extension Future where Output: Sendable {
  /// The value, as soon as there is one; throws the failure.
  ///
  /// A waiting caller is a subscriber and retains the future. If its task is cancelled meanwhile,
  /// it throws a `CancellationError`, where the failure is `any Error` or that type. A failure of
  /// another type cannot say so: then the caller keeps waiting, without an end if the future has
  /// no result. The future goes on for its other subscribers.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Offline: Error {}
  /// let future = Future<Int, Offline> { promise in promise(.failure(Offline())) }
  /// do { print(try await future.value) } catch { print(error) }
  /// // Prints:
  /// // Offline()
  /// ```
  public var value: Output {
    get async throws(Failure) { try await awaited() }
  }

  private func awaited() async throws(Failure) -> Output {
    let subscriber = AwaitedValues<Output, Failure>()
    BoundedDelivery.limit { receive(subscriber: subscriber) }
    if Self.canFailWithCancellation {
      if let value = try await subscriber.nextUnlessCancelled(isolation: nil) { return value }
      if let error = CancellationError() as? Failure { throw error }
    } else if let value = try await subscriber.nextDespiteCancel(isolation: nil) {
      return value
    }
    preconditionFailure("Future.value: ended without a value; fulfill(_:) must send one first.")
  }

  private static var canFailWithCancellation: Bool {
    Failure.self == (any Error).self || Failure.self == CancellationError.self
  }
}

// Swift 6.3 crashes when it compiles `async let` with a typed getter that cannot throw.
extension Future where Output: Sendable, Failure == Never {
  /// The value, as soon as there is one.
  ///
  /// A waiting caller is a subscriber and retains the future. If its task is cancelled meanwhile,
  /// it keeps waiting, without an end if the future has no result: there is no error by which it
  /// could stop.
  public var value: Output {
    get async { await awaited() }
  }
}
