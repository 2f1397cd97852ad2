import Fanout
import TestThreads

/// Threads that continue to send and subscribe, on the app's own subjects and on others, while a
/// row runs and is checked.
final class Company: Sendable {
  private let isOver = Shared(false)
  private let threads = Notes<TestThread>()
  private let unrelated = PassthroughSubject<Int, Never>()

  /// Begins, and returns when every thread has done something.
  func join(_ app: App) {
    let shared = unrelated.map { $0 + 1 }.share(replay: .latest)
    let scores = Pace(app.scores)
    let level = Pace(app.level)
    begin { number in
      self.wait(for: scores, number)
      app.scores.send(number)
      self.unrelated.send(number)
    }
    begin { number in
      self.wait(for: level, number)
      app.level.send(number)
      app.scores.map { $0 + 1 }.sink { _ in }.cancel()
    }
    begin { _ in
      app.level.sink { _ in }.cancel()
      shared.sink { _ in }.cancel()
    }
  }

  /// Waits until a sender's values are delivered, but for the last hundred: a thread that only subscribes would
  /// deliver the rest, and might never come to an end.
  private func wait(for pace: Pace, _ number: Int) {
    while !isOver.value, number - pace.delivered.value > 100 { yieldThread() }
  }

  private func begin(_ body: @escaping @Sendable (Int) -> Void) {
    let began = Gate()
    threads.append(
      TestThread { [isOver] in
        var number = 0
        while !isOver.value {
          number += 1
          body(number)
          if number == 1 { began.open() }
          yieldThread()
        }
      })
    began.wait()
  }

  /// Ends every thread.
  @discardableResult
  func leave() -> Bool {
    isOver.value = true
    return threads.all.allSatisfy { $0.join() }
  }
}

/// The number of values that a subject has delivered.
private final class Pace: Sendable {
  let delivered = Shared(0)
  private let sinks = Notes<AnyCancellable>()

  init<P: Publisher & Sendable>(_ values: P) where P.Output == Int, P.Failure == Never {
    // On a thread of its own, so that no tracker counts the sink.
    let thread = TestThread { [delivered, sinks] in
      sinks.append(
        values.sink(
          receiveCompletion: { _ in delivered.value = .max },
          receiveValue: { _ in delivered.increment() }))
    }
    _ = thread.join()
  }
}
