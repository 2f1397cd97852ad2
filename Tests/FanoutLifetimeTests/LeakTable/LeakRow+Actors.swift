import Fanout

/// Actors: their loops and sinks leak as those of classes do. The model is the actor's, and leaks
/// with it.
extension LeakRow {
  static let actors = [
    LeakRow(
      "an actor whose sink starts tasks with it", takesTime: true,
      says: "retained by ScoreKeeper.model", "← Sink",
      leak: { model, app in
        let keeper = ScoreKeeper(model)
        await keeper.followStrongly(app.scores)
        app.atEnd { await keeper.stop() }
      },
      clean: { model, app in
        let keeper = ScoreKeeper(model)
        await keeper.followWeakly(app.scores)
      }),
    LeakRow(
      "an actor with a loop of its own", takesTime: true,
      says: holderUnknown, "a loop over `values` of PassthroughSubject",
      leak: { model, app in
        let keeper = ScoreKeeper(model)
        await keeper.loop(app.scores)
        await app.waitForLoop()
        app.atEnd { await keeper.stop() }
      },
      clean: { model, app in
        let keeper = ScoreKeeper(model)
        await keeper.loop(app.scores)
        await app.waitForLoop()
        await keeper.stop()
      }),
    LeakRow(
      "an actor in a singleton", says: holderUnknown, "a global",
      leak: { model, app in
        let keeper = ScoreKeeper(model)
        app.hold(keeper)
      },
      clean: { model, app in
        let keeper = ScoreKeeper(model)
        app.hold(keeper)
        await keeper.forget()
      }),
  ]
}

private actor ScoreKeeper {
  private var model: ScoreModel?
  private var kept: Set<AnyCancellable> = []
  private var task: Task<Void, Never>?

  init(_ model: ScoreModel) { self.model = model }

  private func take(_ score: Int) { model?.score = score }

  func followStrongly(_ scores: PassthroughSubject<Int, Never>) {
    scores.sink { number in Task { await self.take(number) } }.store(in: &kept)
  }

  func followWeakly(_ scores: PassthroughSubject<Int, Never>) {
    scores.sink { [weak self] number in Task { await self?.take(number) } }
      .store(in: &kept)
  }

  func loop(_ scores: PassthroughSubject<Int, Never>) {
    task = Task { for await score in scores.values { self.take(score) } }
  }

  func forget() { model = nil }

  func stop() async {
    kept = []
    task?.cancel()
    await task?.value
    task = nil
    model = nil
  }
}
