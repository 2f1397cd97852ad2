/// The work to do for a call that has got its result, when the lock is free.
@frozen
public struct CallResumption: Sendable {
  /// The task of the call, if it is suspended.
  @usableFromInline let task: UnsafeContinuation<Void, Never>?

  @inlinable
  init(_ task: UnsafeContinuation<Void, Never>?) { self.task = task }

  /// Resumes the task of the call, if it has one.
  @inlinable
  public func resume() { task?.resume() }
}

/// The calls of an asynchronous function that wait for their results, in order; the lock of their
/// owner guards them.
///
/// A call that is alone takes no allocation. Of calls that overlap, each but the first takes an
/// object.
@frozen
public struct PendingCalls<Result> {
  /// A call that waits.
  public enum Call {
    case first
    case overlapping(OneShot<Result>)
  }

  /// Whether a call is the first one, from its beginning until it takes its result.
  @usableFromInline var hasFirst = false
  /// The result of the first call.
  @usableFromInline package var result: Result?
  /// The task of the first call, while it is suspended.
  @usableFromInline var task: UnsafeContinuation<Void, Never>?
  /// The other calls without a result.
  @usableFromInline var overlapping: [OneShot<Result>] = []

  /// Creates a list without calls.
  @inlinable
  public init() {}

  /// The number of calls without a result.
  @inlinable public var count: Int { (hasFirst && result == nil ? 1 : 0) + overlapping.count }

  /// Adds a call.
  @inlinable
  public mutating func begin() -> Call {
    guard hasFirst || !overlapping.isEmpty else {
      hasFirst = true
      return .first
    }
    let call = OneShot<Result>()
    overlapping.append(call)
    return .overlapping(call)
  }

  /// Gives a result to the oldest call without one; returns nil if there is no such call.
  @inlinable
  public mutating func give(_ result: Result) -> CallResumption? {
    if hasFirst, self.result == nil {
      self.result = result
      defer { task = nil }
      return CallResumption(task)
    }
    return overlapping.isEmpty ? nil : CallResumption(overlapping.removeFirst().put(result))
  }

  /// Takes the result of the first call, which ends the call.
  @inlinable
  public mutating func take() -> Result? {
    guard let result else { return nil }
    self.result = nil
    hasFirst = false
    return result
  }

  /// Notes the suspended task of the first call; returns false if the call has its result.
  @inlinable
  public mutating func suspend(_ task: UnsafeContinuation<Void, Never>) -> Bool {
    guard result == nil else { return false }
    self.task = task
    return true
  }
}

extension PendingCalls.Call {
  /// Waits for the result of this call.
  ///
  /// `calls` runs a closure with the list of calls, under the lock that guards the list.
  @inlinable
  package func result(
    isolation actor: isolated (any Actor)?,
    _ calls: ((inout PendingCalls) -> Void) -> Void
  ) async -> Result {
    if case .overlapping(let call) = self { return await call.wait(isolation: actor) }
    var result: Result?
    calls { result = $0.take() }
    if let result { return result }
    await withUnsafeContinuation(isolation: actor) { task in
      var isSuspended = false
      calls { isSuspended = $0.suspend(task) }
      #if FANOUT_EXPLORER
        // Here the result may come to a task that has not suspended yet.
        SchedulePoint.reach()
      #endif
      if !isSuspended { task.resume() }
    }
    calls { result = $0.take() }
    guard let result else {
      preconditionFailure("A call has its result before its task is resumed, and takes it once.")
    }
    return result
  }
}

@available(*, unavailable)
extension PendingCalls: Sendable {}

@available(*, unavailable)
extension PendingCalls.Call: Sendable {}
