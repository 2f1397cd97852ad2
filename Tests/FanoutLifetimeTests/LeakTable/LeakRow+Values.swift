import Fanout

/// Models that are values of a publisher.
extension LeakRow {
  static let values = [
    LeakRow(
      "a subject whose value is its owner",
      says: "retained by CurrentValueSubject.value ← itself",
      leak: { model, _ in model.selection = CurrentValueSubject(model) },
      clean: { model, _ in
        model.selection = CurrentValueSubject(model)
        model.selection?.value = nil
      }),
    LeakRow(
      "the current value of a subject that the app keeps",
      says: "retained by CurrentValueSubject.value",
      leak: { model, app in
        let selected = CurrentValueSubject<ScoreModel?, Never>(nil)
        app.hold(selected)
        selected.value = model
      },
      clean: { model, app in
        let selected = CurrentValueSubject<ScoreModel?, Never>(nil)
        app.hold(selected)
        selected.value = model
        selected.value = nil
      }),
    LeakRow(
      "a replay of everything that the app keeps", says: "retained by ReplaySubject.value",
      leak: { model, app in
        let opened = ReplaySubject<ScoreModel, Never>(.all)
        app.hold(opened)
        opened.send(model)
      },
      clean: { model, app in
        let opened = ReplaySubject<ScoreModel, Never>(.none)
        app.hold(opened)
        opened.send(model)
      }),
    LeakRow(
      "the cache of a share", says: "retained by ShareCore.value",
      leak: { model, app in
        let opened = PassthroughSubject<ScoreModel, Never>()
        app.keep(opened.share(replay: .all).sink { _ in })
        opened.send(model)
      },
      clean: { model, app in
        let opened = PassthroughSubject<ScoreModel, Never>()
        app.keep(opened.share(replay: .all).sink { _ in })
        opened.send(model)
        app.cancelLast()
      }),
    LeakRow(
      "a buffer of which nobody asks", says: "retained by Buffer.Subscription (value that waits)",
      leak: { model, app in
        let opened = PassthroughSubject<ScoreModel, Never>()
        let subscriber = WithoutDemand()
        opened.buffer(size: 9, prefetch: .byRequest, whenFull: .dropOldest).subscribe(subscriber)
        app.atEnd { subscriber.cancel() }
        opened.send(model)
      },
      clean: { model, app in
        let opened = PassthroughSubject<ScoreModel, Never>()
        let subscriber = WithoutDemand()
        opened.buffer(size: 9, prefetch: .byRequest, whenFull: .dropOldest).subscribe(subscriber)
        opened.send(model)
        subscriber.cancel()
      }),
    LeakRow(
      "what collect has collected", says: "retained by Collect.Subscription",
      leak: { model, app in
        let opened = PassthroughSubject<ScoreModel, Never>()
        app.keep(opened.collect().sink { _ in })
        opened.send(model)
      },
      clean: { model, app in
        let opened = PassthroughSubject<ScoreModel, Never>()
        app.keep(opened.collect().sink { _ in })
        opened.send(model)
        opened.send(completion: .finished)
      }),
    LeakRow(
      "what scan has gathered", says: "retained by Scan.Subscription.result",
      leak: { model, app in
        let opened = PassthroughSubject<ScoreModel, Never>()
        app.keep(opened.scan([]) { $0 + [$1] }.sink { _ in })
        opened.send(model)
      },
      clean: { model, app in
        let opened = PassthroughSubject<ScoreModel, Never>()
        app.keep(opened.scan([]) { $0 + [$1] }.sink { _ in })
        opened.send(model)
        opened.send(completion: .finished)
      }),
    LeakRow(
      "the value of a future that the app keeps", says: "retained by Future",
      leak: { model, app in
        app.hold(Future<ScoreModel, Never> { $0(.success(model)) })
      },
      clean: { model, app in
        app.hold(Future<ScoreModel, Never> { $0(.success(model)) })
        app.forgetAll()
      }),
    LeakRow(
      "a publisher of the model in the model",
      says: "retained by AnyPublisher.base.output ← itself",
      leak: { model, _ in model.itself = Just(model).eraseToAnyPublisher() },
      clean: { model, _ in
        model.itself = Deferred { [weak model] in
          [model].compactMap { $0 }.publisher
        }.eraseToAnyPublisher()
      }),
  ]
}

/// A subscriber that never requests a value.
private final class WithoutDemand: Subscriber, Sendable {
  private let subscription = Held()

  func receive(subscription: any Subscription) { self.subscription.value = subscription }
  func receive(_ input: ScoreModel) -> Subscribers.Demand { .none }
  func receive(completion: Subscribers.Completion<Never>) {}

  func cancel() {
    subscription.value?.cancel()
    subscription.value = nil
  }
}

// `@unchecked Sendable` invariant: used by one thread at a time.

private final class Held: @unchecked Sendable {
  var value: (any Subscription)?
}
