#if canImport(Darwin)
  internal import Darwin
#endif

/// The main actor as a place for deliveries: an action runs at once for who is there already, and for
/// everybody else when the main actor comes to it.
///
/// It knows no time, and is used for deliveries alone.
struct MainActorPlace: Scheduler, Sendable {
  typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  var now: SchedulerTimeType { ImmediateScheduler.shared.now }
  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
    #if canImport(Darwin)
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
        // There the main actor runs on the main thread, and nowhere else.
        if pthread_main_np() != 0 { return action() }
        Task { @MainActor in action() }
        return
      }
    #endif
    // Knows of itself whether the main actor is where this runs. A question for the thread would not do:
    // on Linux the main actor may leave the main thread.
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
