// `@unchecked Sendable` invariant: the code that wraps a value gives it to exactly one reader, by
// something that orders the two (a continuation, the start of a task, the return of an `async`
// function), and does not touch it afterwards. A subscription is no exception: it may be called
// from any thread, and only cannot say so, because its superclass is for single-threaded nodes too;
// likewise the type of a subscriber.

/// A value on its way to another task, or under a lock, although its type does not allow that.
@frozen @usableFromInline
package struct UnsafeTransfer<Value>: @unchecked Sendable {
  @usableFromInline package var value: Value

  @inlinable
  package init(_ value: Value) { self.value = value }
}

/// The task in which work runs.
package enum TaskKind: Sendable {
  /// One with the priority and the task-local values of the task that starts it.
  case inheriting
  /// One with nothing of the task that starts it, and with this priority.
  case own(TaskPriority?)
}

/// Starts a task with work that may run in one, although its type does not say so.
package func startTask(
  _ kind: TaskKind = .inheriting, _ work: @escaping () async -> Void
) -> Task<Void, Never> {
  let work = UnsafeTransfer(work)
  #if FANOUT_EXPLORER
    if let executor = SchedulePoint.taskExecutor() {
      return Task(executorPreference: executor) { await work.value() }
    }
  #endif
  return switch kind {
  case .inheriting: Task { await work.value() }
  case .own(let priority): Task.detached(priority: priority) { await work.value() }
  }
}
