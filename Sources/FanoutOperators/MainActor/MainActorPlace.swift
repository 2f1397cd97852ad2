internal import FanoutCore

#if canImport(Darwin)
  internal import Darwin
#endif

/// The main actor as a scheduler.
///
/// An action that is scheduled on the main actor runs at once. Any other action waits for its turn
/// on the main actor. The scheduler has no time, and is used for deliveries only.
struct MainActorPlace: Scheduler, Sendable {
  typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  var now: SchedulerTimeType { ImmediateScheduler.shared.now }
  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
    #if canImport(Darwin)
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
        // On these systems the main actor runs on the main thread, and nowhere else.
        if pthread_main_np() != 0 { return action() }
        Task { @MainActor in action() }
        return
      }
    #endif
    // `Task.immediate` finds out by itself whether this runs on the main actor. Asking for the
    // thread would not do: on Linux the main actor may leave the main thread.
    Task.immediate { @MainActor in action() }
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) {
    schedule(options: options, action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    schedule(options: options, action)
    return Subscriptions.empty
  }
}
