// Invariant of the cast: an isolated parameter is passed like any other. `start(_:on:)` only makes
// a task, and touches nothing of the actor, so it may be called from everywhere.

internal import FanoutCore

#if canImport(Darwin)
  internal import Darwin
#endif

/// An actor as a scheduler.
///
/// An action that is scheduled on the actor runs at once. Any other action waits for its turn on
/// the actor. The scheduler has no time, and is used for deliveries only.
struct ActorPlace: Scheduler, Sendable {
  typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never
  typealias Action = @Sendable () -> Void

  let actor: any Actor

  init(_ actor: any Actor) { self.actor = actor }

  var now: SchedulerTimeType { ImmediateScheduler.shared.now }
  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  func schedule(options: SchedulerOptions?, _ action: @escaping Action) {
    #if canImport(Darwin)
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
        // On these systems the main actor runs on the main thread, and nowhere else.
        if actor === MainActor.shared, pthread_main_np() != 0 { return action() }
        Task { await Self.run(action, on: actor) }
        return
      }
    #endif
    // `Task.immediate` finds out by itself whether this runs on the actor. Asking for the thread
    // would not do: on Linux the main actor may leave the main thread.
    let start = unsafeBitCast(
      Self.start as (@escaping Action, isolated any Actor) -> Void,
      to: ((@escaping Action, any Actor) -> Void).self)
    start(action, actor)
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping Action
  ) {
    schedule(options: options, action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping Action
  ) -> any Cancellable {
    schedule(options: options, action)
    return Subscriptions.empty
  }

  /// Starts a task that is isolated to the actor, because it captures the parameter.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  private static func start(_ action: @escaping Action, on actor: isolated any Actor) {
    Task.immediate {
      _ = actor
      action()
    }
  }

  private static func run(_ action: Action, on actor: isolated any Actor) { action() }
}
