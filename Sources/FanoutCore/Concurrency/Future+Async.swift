internal import FanoutEngine

extension Future {
  /// Makes a future and starts a task that makes its value.
  ///
  /// The task belongs to the future and to all who subscribe to it, so a subscriber that cancels does
  /// not stop it. It is cancelled when the future is gone: when nobody holds it any more, and everybody
  /// who subscribed has cancelled. Unlike a promise, the task does not keep the future.
  ///
  /// - Parameter operation: Called once, in a task that starts at once, off any actor. What it returns
  ///   is the value, what it throws the failure.
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

  /// The value, once there is one; throws the failure.
  ///
  /// Who waits is a subscriber and keeps the future. A task that is cancelled meanwhile waits on: the
  /// future has no other answer for it.
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
    subscribe(subscriber)
    guard let value = try await subscriber.nextDespiteCancel(isolation: nil) else {
      preconditionFailure("A future comes to no end without a value or a failure.")
    }
    return value
  }
}

// Swift 6.3 crashes when it compiles `async let` with a typed getter that cannot throw.
extension Future where Failure == Never {
  /// The value, once there is one.
  ///
  /// Who waits is a subscriber and keeps the future. A task that is cancelled meanwhile waits on: the
  /// future has no other answer for it.
  public var value: Output {
    get async { await awaited() }
  }
}
