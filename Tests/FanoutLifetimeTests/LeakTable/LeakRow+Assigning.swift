import Fanout

/// Subscribers that set a property, that run on the main actor, or that cannot be cancelled.
extension LeakRow {
  static let assigning = [
    LeakRow(
      "assign(to:on: self)", says: "retained by Assign.object ← AnyCancellable ← itself",
      leak: { $0.assignToItself($1.scores) }, clean: { $0.assignToItselfWeakly($1.scores) }),
    LeakRow(
      "assign(to:on:) in a bag that the app keeps",
      says: "retained by Assign.object ← AnyCancellable (until cancel or completion)",
      leak: { model, app in
        app.keep(app.scores.assign(to: \.score, on: model))
      },
      clean: { model, app in
        app.keep(app.scores.assign(to: \.score, onWeak: model))
        app.cancelLast()
      }),
    LeakRow(
      "store(in:) into a bag that the app keeps",
      says: "retained by Sink.receiveValue ← AnyCancellable (until cancel or completion)",
      leak: { model, app in app.keep(app.scores.sink { model.score = $0 }) },
      clean: { model, app in
        app.keep(app.scores.sink { model.score = $0 })
        app.cancelLast()
      }),
    LeakRow(
      "a sink that was subscribed by hand", says: "retained by Sink.receiveValue",
      "← Subscription ← PassthroughSubject",
      leak: { model, app in
        app.scores.subscribe(
          Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { model.score = $0 }))
      },
      clean: { model, app in
        let sink = Subscribers.Sink<Int, Never>(
          receiveCompletion: { _ in }, receiveValue: { model.score = $0 })
        app.scores.subscribe(sink)
        sink.cancel()
      }),
    LeakRow(
      "a cancellable that the app keeps, without a model", leaksModel: false,
      says: "a subscription outlived", "retained by AnyCancellable.activity",
      "which something unknown to Fanout holds",
      leak: { _, app in app.keep(app.level.sink { _ in }) },
      clean: { _, app in
        app.keep(app.level.sink { _ in })
        app.cancelLast()
      }),
    LeakRow(
      "a sink that nobody can cancel, without a model", leaksModel: false,
      says: "a subscription outlived", "PassthroughSubject.subscription ← itself",
      leak: { _, app in
        app.scores.subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
      },
      clean: { _, app in
        let once = PassthroughSubject<Int, Never>()
        once.subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
        once.send(completion: .finished)
      }),
    LeakRow(
      "sinkOnMainActor", takesTime: true, says: "retained by", "receiveValue",
      "← AnyCancellable ← itself",
      leak: { $0.sinkOnMainActorStrongly($1.level) },
      clean: { $0.sinkOnMainActorWeakly($1.level) }),
  ]
}

extension ScoreModel {
  fileprivate func assignToItself(_ scores: PassthroughSubject<Int, Never>) {
    scores.assign(to: \.score, on: self).store(in: &kept)
  }

  fileprivate func assignToItselfWeakly(_ scores: PassthroughSubject<Int, Never>) {
    scores.assign(to: \.score, onWeak: self).store(in: &kept)
  }

  fileprivate func sinkOnMainActorStrongly(_ level: CurrentValueSubject<Int, Never>) {
    level.sinkOnMainActor { _ in _ = self }.store(in: &kept)
  }

  fileprivate func sinkOnMainActorWeakly(_ level: CurrentValueSubject<Int, Never>) {
    level.sinkOnMainActor { [weak self] _ in _ = self }.store(in: &kept)
  }
}
