import Dispatch
import Fanout

/// Queues and schedulers that never run their actions.
extension LeakRow {
  static let queues = [
    LeakRow(
      "receive(on:) with a queue that never runs, and a model that waits for it",
      says: "retained by ReceiveOn.Subscription (value that waits)",
      leak: { model, app in
        let queue = DispatchQueue.stopped(in: app)
        let opened = PassthroughSubject<ScoreModel, Never>()
        app.keep(opened.receive(on: queue).sink { _ in })
        opened.send(model)
      },
      clean: { model, app in
        let queue = DispatchQueue.stopped(in: app)
        let opened = PassthroughSubject<ScoreModel, Never>()
        app.keep(opened.receive(on: queue).sink { _ in })
        opened.send(model)
        app.cancelLast()
      }),
    LeakRow(
      "subscribe(on:) with a queue that never runs, and a sink that captures",
      takesTime: true,
      says: "retained by Sink.receiveValue ← AnyCancellable ← itself",
      leak: { model, app in
        let queue = DispatchQueue.stopped(in: app)
        app.scores.subscribe(on: queue).sink { model.score = $0 }.store(in: &model.kept)
      },
      clean: { model, app in
        app.scores.subscribe(on: DispatchQueue(label: "running"))
          .sink { [weak model] in model?.score = $0 }.store(in: &model.kept)
      }),
    LeakRow(
      "work of its own on a queue that never runs", says: holderUnknown, "a stored closure",
      leak: { model, app in
        DispatchQueue.stopped(in: app).async { model.score = 0 }
      },
      clean: { model, app in
        DispatchQueue.stopped(in: app).async { [weak model] in model?.score = 0 }
      }),
  ]
}

extension DispatchQueue {
  /// A queue that does nothing until the end of the row.
  fileprivate static func stopped(in app: App) -> DispatchQueue {
    let queue = DispatchQueue(label: "stopped")
    queue.suspend()
    app.atEnd {
      queue.resume()
      queue.sync {}
    }
    return queue
  }
}
