import Fanout

/// Loops of tasks that are never cancelled.
extension LeakRow {
  static let loops = [
    LeakRow(
      "a loop over values in a task that the model keeps", takesTime: true,
      says: holderUnknown, "a loop over `values` of PassthroughSubject",
      leak: { model, app in
        model.task = Task { for await score in app.scores.values { model.score = score } }
        await app.waitForLoop()
      },
      clean: { model, app in
        model.task = Task { for await score in app.scores.values { model.score = score } }
        await app.waitForLoop()
        await model.endTask()
      }),
    LeakRow(
      "a loop in a dropped task, whose guard is outside of the loop", takesTime: true,
      says: holderUnknown, "a loop over `values` of PassthroughSubject",
      leak: { model, app in
        model.followUnguarded(app.scores)
        await app.waitForLoop()
      },
      clean: { model, app in
        let task = model.followGuarded(app.scores)
        app.atEnd { task.cancel() }
        await app.waitForLoop()
        task.cancel()
        await task.value
      }),
    LeakRow(
      "a loop over elements of a share", takesTime: true,
      says: holderUnknown, "a loop over `values` of Share",
      leak: { model, app in
        let shared = app.scores.share(replay: .latest)
        model.task = Task { for await score in shared.values { model.score = score } }
        await app.waitForLoop()
      },
      clean: { model, app in
        let shared = app.scores.share(replay: .latest)
        model.task = Task { for await score in shared.values { model.score = score } }
        await app.waitForLoop()
        await model.endTask()
      }),
    LeakRow(
      "a loop over elements of a subject that replays", takesTime: true,
      says: holderUnknown, "a loop over `values` of ReplaySubject",
      leak: { model, app in
        let past = ReplaySubject<Int, Never>(.last(9))
        model.task = Task { for await score in past.values { model.score = score } }
        await app.waitForLoop()
        app.atEnd { past.send(completion: .finished) }
      },
      clean: { model, app in
        let past = ReplaySubject<Int, Never>(.last(9))
        model.task = Task { for await score in past.values { model.score = score } }
        await app.waitForLoop()
        past.send(completion: .finished)
        await model.task?.value
      }),
    LeakRow(
      "a loop over elements of an autoconnected multicast", takesTime: true,
      says: holderUnknown, "a loop over `values` of",
      leak: { model, app in
        let shared = app.scores.multicast(replay: .latest).autoconnect()
        model.task = Task { for await score in shared.values { model.score = score } }
        await app.waitForLoop()
      },
      clean: { model, app in
        let shared = app.scores.multicast(replay: .latest).autoconnect()
        model.task = Task { for await score in shared.values { model.score = score } }
        await app.waitForLoop()
        await model.endTask()
      }),
    LeakRow(
      "a forgotten loop over elements, without a model", leaksModel: false, takesTime: true,
      says: "a loop over `values` outlived", "retained by the task that waits in it",
      leak: { _, app in
        let shared = PassthroughSubject<Int, Never>().share(replay: .latest)
        let task = Task { for await _ in shared.values {} }
        app.atEnd { task.cancel() }
        await app.waitForLoop()
      },
      clean: { _, app in
        let shared = PassthroughSubject<Int, Never>().share(replay: .latest)
        let task = Task { for await _ in shared.values {} }
        await app.waitForLoop()
        task.cancel()
        await task.value
      }),
    LeakRow(
      "a forgotten loop over values, without a model", leaksModel: false, takesTime: true,
      says: "a subscription outlived", "the task that waits in it",
      leak: { _, app in
        let ticks = PassthroughSubject<Int, Never>()
        let task = Task { for await _ in ticks.values {} }
        app.atEnd { task.cancel() }
        await app.waitForLoop()
      },
      clean: { _, app in
        let ticks = PassthroughSubject<Int, Never>()
        let task = Task { for await _ in ticks.values {} }
        await app.waitForLoop()
        ticks.send(completion: .finished)
        await task.value
      }),
  ]
}

extension ScoreModel {
  /// The end that a model must be given: its task is cancelled and has returned.
  fileprivate func endTask() async {
    task?.cancel()
    await task?.value
    task = nil
  }

  fileprivate func followUnguarded(_ scores: PassthroughSubject<Int, Never>) {
    Task { [weak self] in
      guard let self else { return }
      for await score in scores.values { self.score = score }
    }
  }

  fileprivate func followGuarded(_ scores: PassthroughSubject<Int, Never>) -> Task<Void, Never> {
    Task { [weak self] in
      for await score in scores.values {
        guard let self else { return }
        self.score = score
      }
    }
  }
}
