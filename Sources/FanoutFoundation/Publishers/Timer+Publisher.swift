// `@unchecked Sendable` and `UnsafeTransfer` invariant: a run loop and a timer may be used from any
// thread for all that is done with them here: a timer is added to the loop, and invalidated. The
// types cannot state that.

internal import Fanout
public import FanoutCore
internal import FanoutEngine
internal import FanoutOperators
public import Foundation

#if !canImport(Combine)
  extension Timer {
    /// A publisher of the current date, again and again, while it is connected.
    ///
    /// All subscribers share one timer.
    ///
    /// - Starts: at `connect()`, when a subscriber has asked.
    /// - Stops: when the last claim is released.
    /// - A late subscriber gets: the next date.
    /// - A slow subscriber: loses dates.
    /// - Memory: none.
    ///
    /// - Completion, failure: none.
    /// - Cancel: a subscriber that cancels leaves; the timer runs on. After the last claim is
    ///   released, subscribers stay and receive from the next connection (rule L5). Behind
    ///   `autoconnect()`, the last subscriber that cancels stops the timer.
    ///   `upstream.connect().cancel()`, which stops one of Combine's, releases only the claim that
    ///   it has made (rule D12).
    /// - Concurrency: dates are delivered on the thread that runs the loop, and only while it runs
    ///   in the mode. An `async` `main` runs the main queue here, and not the main run loop: a
    ///   timer on `.main` never fires there. Use the run loop of a thread that calls `run()`, or
    ///   `DispatchQueue.main.schedule(after:interval:_:)`.
    /// - Ownership: while connected, the run loop keeps the timer, and so the connection and the
    ///   subscribers.
    ///
    /// ```swift
    /// import Fanout
    /// import FanoutFoundation
    /// import Foundation
    ///
    /// let isOver = DispatchSemaphore(value: 0)
    /// let ticks = Timer.publish(every: 0.01, on: .main, in: .default).autoconnect()
    /// let shown = ticks.scan(0) { number, _ in number + 1 }.prefix(3).sink { _ in
    ///   isOver.signal()
    /// } receiveValue: {
    ///   print("tick", $0)
    /// }
    /// while isOver.wait(timeout: .now()) == .timedOut {
    ///   RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
    /// }
    /// shown.cancel()
    /// // Prints:
    /// // tick 1
    /// // tick 2
    /// // tick 3
    /// ```
    public final class TimerPublisher: ConnectablePublisher, @unchecked Sendable {
      /// The date at which the timer fired.
      public typealias Output = Date
      /// Never: a timer does not fail.
      public typealias Failure = Never

      /// The time between two dates, in seconds.
      public let interval: TimeInterval
      /// The allowed lateness of a date, in seconds, or nil for the loop's own.
      public let tolerance: TimeInterval?
      /// The run loop that the timer is added to.
      public let runLoop: RunLoop
      /// The mode in which the loop fires the timer.
      public let mode: RunLoop.Mode
      /// The options of the run loop as a scheduler.
      public let options: RunLoop.SchedulerOptions?

      private let ticks: Publishers.MakeConnectable<Publishers.Callback<Date, Never>>

      /// Creates a publisher of the current date, again and again.
      ///
      /// - Parameters:
      ///   - interval: The time between two dates, in seconds.
      ///   - tolerance: The allowed lateness of a date, in seconds, or nil for the loop's own.
      ///   - runLoop: The run loop that the timer is added to.
      ///   - mode: The mode in which the loop fires the timer.
      ///   - options: The options of the run loop as a scheduler, or nil.
      public init(
        interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop,
        mode: RunLoop.Mode, options: RunLoop.SchedulerOptions? = nil
      ) {
        self.interval = interval
        self.tolerance = tolerance
        self.runLoop = runLoop
        self.mode = mode
        self.options = options
        let place = UnsafeTransfer(runLoop)
        ticks = Publishers.Callback<Date, Never> { receive in
          let ticking = Ticking(every: interval, receive)
          if let tolerance { ticking.timer.tolerance = tolerance }
          place.value.add(ticking.timer, forMode: mode)
          return UnsafeTransfer(ticking)
        } remove: {
          $0.value.stop()
        }.makeConnectable()
      }

      /// Attaches the specified subscriber without starting anything.
      ///
      /// - Parameter subscriber: The subscriber to attach.
      public func receive<S: Subscriber>(subscriber: S)
      where S.Input == Output, S.Failure == Failure {
        ticks.receive(subscriber: subscriber)
      }

      /// Starts the timer, for all subscribers.
      ///
      /// - Returns: A claim on the timer. The timer stops when the last claim is released.
      public func connect() -> any Cancellable { ticks.connect() }
    }

    /// Creates a publisher of the current date, again and again, which starts at `connect()`.
    ///
    /// - Parameters:
    ///   - interval: The time between two dates, in seconds.
    ///   - tolerance: The allowed lateness of a date, in seconds, or nil for the loop's own.
    ///   - runLoop: The run loop that the timer is added to.
    ///   - mode: The mode in which the loop fires the timer.
    ///   - options: The options of the run loop as a scheduler, or nil.
    /// - Returns: A publisher to connect, by hand or with `autoconnect()`.
    public static func publish(
      every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop,
      in mode: RunLoop.Mode, options: RunLoop.SchedulerOptions? = nil
    ) -> TimerPublisher {
      TimerPublisher(
        interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode, options: options)
    }
  }

  /// A timer, and the closure that it calls until it is stopped.
  private struct Ticking {
    let timer: Timer
    private let receive: Receive

    /// The closure in a box, because on Linux Foundation never releases a timer's own closure.
    private final class Receive: Sendable {
      let closure: Lock<(@Sendable (Date) -> Void)?>

      init(_ closure: @escaping @Sendable (Date) -> Void) { self.closure = Lock(closure) }
    }

    init(every interval: TimeInterval, _ receive: @escaping @Sendable (Date) -> Void) {
      let box = Receive(receive)
      self.receive = box
      timer = Timer(timeInterval: interval, repeats: true) { _ in
        box.closure.withLock { $0 }?(Date())
      }
    }

    func stop() {
      timer.invalidate()
      withExtendedLifetime(receive.closure.take()) {}
    }
  }
#endif
