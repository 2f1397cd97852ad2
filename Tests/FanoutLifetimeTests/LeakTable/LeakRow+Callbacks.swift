import Fanout
import TestThreads

/// Observers that are never removed, and sequences that never end.
extension LeakRow {
  static let callbacks = [
    LeakRow(
      "a Callback publisher whose closures capture the model that keeps it",
      says: "retained by", "observe", "← itself",
      leak: { model, _ in model.observeStrongly(Scoreboard()) },
      clean: { model, _ in model.observeWeakly(Scoreboard()) }),
    LeakRow(
      "an observer of an API that the app keeps, never cancelled",
      says: "retained by Sink.receiveValue", "← Callback.Subscription",
      leak: { model, app in
        let board = Scoreboard()
        app.hold(board)
        let sink = Subscribers.Sink<Int, Never>(
          receiveCompletion: { _ in }, receiveValue: { model.score = $0 })
        board.all.subscribe(sink)
        app.atEnd { sink.cancel() }
      },
      clean: { model, app in
        let board = Scoreboard()
        app.hold(board)
        board.all.sink { model.score = $0 }.cancel()
      }),
    LeakRow(
      "an API that forgets to remove an observer whose closure captures", says: holderUnknown,
      "a stored closure",
      leak: { model, app in
        let board = Scoreboard()
        app.hold(board)
        Publishers.Callback<Int, Never>(
          add: { handler in
            board.add {
              model.score = $0
              handler($0)
            }
          }, remove: { _ in }
        ).sink { _ in }.cancel()
        app.atEnd { board.clear() }
      },
      clean: { model, app in
        let board = Scoreboard()
        app.hold(board)
        Publishers.Callback<Int, Never>(
          add: { handler in
            board.add {
              model.score = $0
              handler($0)
            }
          }, remove: { board.remove($0) }
        ).sink { _ in }.cancel()
      }),
    LeakRow(
      "a publisher of a sequence that never ends", takesTime: true,
      says: "retained by Sink.receiveValue ← AnyCancellable ← itself",
      leak: { model, app in
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        app.atEnd { continuation.finish() }
        stream.publisher.sink { model.score = $0 }.store(in: &model.kept)
      },
      clean: { model, app in
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        stream.publisher.sink { model.score = $0 }.store(in: &model.kept)
        continuation.finish()
      }),
    LeakRow(
      "what a stream's continuation does at the end captures", says: holderUnknown,
      "a stored closure",
      leak: { model, app in
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        continuation.onTermination = { _ in model.score = 0 }
        model.other = stream
        app.atEnd { continuation.finish() }
      },
      clean: { model, app in
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        continuation.onTermination = { [weak model] _ in model?.score = 0 }
        model.other = stream
        app.atEnd { continuation.finish() }
      }),
  ]
}

/// An API with observers, as one finds it.
private final class Scoreboard: Sendable {
  private let observers = Shared<[Int: @Sendable (Int) -> Void]>([:])

  func add(_ observer: @escaping @Sendable (Int) -> Void) -> Int {
    observers.change { observers in
      let token = (observers.keys.max() ?? 0) + 1
      observers[token] = observer
      return token
    }
  }

  func remove(_ token: Int) { _ = observers.change { $0.removeValue(forKey: token) } }

  func clear() { observers.value = [:] }

  var all: Publishers.Callback<Int, Never> {
    Publishers.Callback(add: { self.add($0) }, remove: { self.remove($0) })
  }
}

extension ScoreModel {
  fileprivate func observeStrongly(_ board: Scoreboard) {
    numbers = Publishers.Callback<Int, Never>(
      add: { handler in
        self.score = 0
        return board.add(handler)
      }, remove: { board.remove($0) }
    ).eraseToAnyPublisher()
  }

  fileprivate func observeWeakly(_ board: Scoreboard) {
    numbers = Publishers.Callback<Int, Never>(
      add: { [weak self] handler in
        self?.score = 0
        return board.add(handler)
      }, remove: { board.remove($0) }
    ).eraseToAnyPublisher()
  }
}
