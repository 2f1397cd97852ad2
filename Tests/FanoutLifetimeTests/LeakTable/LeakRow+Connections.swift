import Fanout

/// Connections that stay, because a claim is kept or one subscriber is forgotten.
extension LeakRow {
  static let connections = [
    LeakRow(
      "a claim that the model keeps, over operators that capture it",
      says: "by ShareCore.upstream", "← Connection ← AnyCancellable ← itself",
      leak: { $0.connectStrongly($1.scores) },
      clean: { model, app in
        model.connectStrongly(app.scores)
        model.claim = nil
      }),
    LeakRow(
      "a claim that the app keeps, over a sink that captures",
      says: "retained by Sink.receiveValue ← AnyCancellable ← itself",
      leak: { model, app in
        let shared = app.scores.multicast(replay: .latest)
        shared.sink { model.score = $0 }.store(in: &model.kept)
        let claim = HeldClaim(claim: shared.connect())
        app.hold(claim)
        app.atEnd { claim.claim.cancel() }
      },
      clean: { model, app in
        let shared = app.scores.multicast(replay: .latest)
        shared.sink { [weak model] in model?.score = $0 }.store(in: &model.kept)
        shared.connect().cancel()
      }),
    LeakRow(
      "a claim that the app keeps, without a model", leaksModel: false, says: "outlived",
      "AnyCancellable", "which something unknown to Fanout holds",
      leak: { _, app in
        let claim = HeldClaim(claim: app.scores.multicast(replay: .latest).connect())
        app.hold(claim)
        app.atEnd { claim.claim.cancel() }
      },
      clean: { _, app in
        let claim = HeldClaim(claim: app.scores.multicast(replay: .latest).connect())
        app.hold(claim)
        claim.claim.cancel()
      }),
    LeakRow(
      "autoconnect with one forgotten subscriber",
      says: "by ShareCore.upstream.transform", "← AnyCancellable",
      leak: { $0.forgetOneOf($1.scores.map($0.doubled), $1) },
      clean: { $0.forgetNoneOf($1.scores.map($0.doubled), $1) }),
    LeakRow(
      "a share whose upstream captures, with a subscriber that the app keeps",
      says: "retained by Share.upstream.transform", "by ShareCore.upstream.transform",
      "← AnyCancellable",
      leak: { model, app in
        app.keep(app.scores.map(model.doubled).share().sink { _ in })
      },
      clean: { model, app in
        app.keep(app.scores.map(model.doubled).share().sink { _ in })
        app.cancelLast()
      }),
    LeakRow(
      "a subject subscribed to another by way of a closure that captures",
      says: "retained by Map.Subscription.transform ←", "← AnyCancellable ← itself",
      leak: { $0.relayStrongly($1.scores) }, clean: { $0.relayWeakly($1.scores) }),
  ]
}

// `@unchecked Sendable` invariant: a claim may be cancelled from any thread.

private struct HeldClaim: @unchecked Sendable {
  let claim: any Cancellable
}

extension ScoreModel {
  fileprivate func connectStrongly(_ scores: PassthroughSubject<Int, Never>) {
    claim = scores.handleEvents(receiveOutput: { self.score = $0 }).multicast(replay: .latest)
      .connect()
  }

  fileprivate func forgetOneOf(_ numbers: some Publisher<Int, Never>, _ app: App) {
    let shared = numbers.multicast(replay: .latest).autoconnect()
    shared.sink { _ in }.store(in: &kept)
    kept = []
    app.keep(shared.sink { _ in })
  }

  fileprivate func forgetNoneOf(_ numbers: some Publisher<Int, Never>, _ app: App) {
    let shared = numbers.multicast(replay: .latest).autoconnect()
    shared.sink { [weak self] in self?.score = $0 }.store(in: &kept)
    shared.sink { _ in }.cancel()
    kept = []
  }

  fileprivate func relayStrongly(_ scores: PassthroughSubject<Int, Never>) {
    let doubled = PassthroughSubject<Int, Never>()
    scores.map { self.doubled($0) }.subscribe(doubled).store(in: &kept)
  }

  fileprivate func relayWeakly(_ scores: PassthroughSubject<Int, Never>) {
    let doubled = PassthroughSubject<Int, Never>()
    scores.map { [weak self] in self?.doubled($0) ?? 0 }.subscribe(doubled).store(in: &kept)
  }
}
