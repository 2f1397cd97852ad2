import FanoutCore
import FanoutOperators
import TestFixtures
import TestThreads

/// A careless API with observers, driven by hand: it keeps the handlers of removed observers, and
/// continues to call them.
final class Bell: Sendable {
  typealias Handler = @Sendable (Int) -> Void
  typealias End = @Sendable (Subscribers.Completion<Broken>) -> Void

  private struct State {
    var handlers: [Handler] = []
    var ends: [End] = []
    var removed: [Int] = []
  }

  private let state = Shared(State())
  /// Called inside `add` when the handler is noted, and inside `remove`.
  let whenAdding = Shared<@Sendable () -> Void>({})
  let whenRemoving = Shared<@Sendable () -> Void>({})

  /// How many observers were added, and which were removed, in that order.
  var added: Int { state.value.handlers.count }
  var removed: [Int] { state.value.removed }

  /// Adds an observer and returns its token.
  func keep(_ handler: @escaping Handler, _ end: @escaping End) -> Int {
    let token = state.change { state in
      state.handlers.append(handler)
      state.ends.append(end)
      return state.handlers.count - 1
    }
    whenAdding.value()
    return token
  }

  private func remove(_ token: Int) {
    state.change { $0.removed.append(token) }
    whenRemoving.value()
  }

  func ring(_ numbers: Int...) { ring(numbers) }

  func ring(_ numbers: some Sequence<Int>) {
    for number in numbers { for handler in state.value.handlers { handler(number) } }
  }

  func end(_ completion: Subscribers.Completion<Broken> = .finished) {
    for end in state.value.ends { end(completion) }
  }

  /// Without an end, as most of such APIs.
  var rings: Publishers.Callback<Int, Never> {
    Publishers.Callback { handler in
      self.keep(handler) { _ in }
    } remove: {
      self.remove($0)
    }
  }

  var endingRings: Publishers.Callback<Int, Broken> {
    Publishers.Callback { handler, finish in
      self.keep(handler, finish)
    } remove: {
      self.remove($0)
    }
  }
}
