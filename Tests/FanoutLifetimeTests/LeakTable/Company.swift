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
    begin { number in
      app.scores.send(number)
      self.unrelated.send(number)
    }
    begin { number in
      app.level.send(number)
      app.scores.map { $0 + 1 }.sink { _ in }.cancel()
    }
    begin { _ in
      app.level.sink { _ in }.cancel()
      shared.sink { _ in }.cancel()
    }
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
