import Fanout
import TestThreads

/// Work that never ends, and promises that are never kept.
extension LeakRow {
  static let tasks = [
    LeakRow(
      "a promise that the model keeps and never calls",
      says: "retained by Sink.receiveValue ←", "← itself",
      leak: { model, _ in model.promiseStrongly() },
      clean: { model, _ in
        model.promiseStrongly()
        model.answer?(.success(1))
        model.answer = nil
      }),
    LeakRow(
      "a task that awaits a future of which nobody keeps the promise", takesTime: true,
      says: holderUnknown, "a task waits for the value of Future",
      leak: { model, app in
        let promise = Shared<Future<Int, Never>.Promise?>(nil)
        model.awaitAnswer(Future { promise.value = $0 })
        await app.waitForLoop()
        app.atEnd { promise.value?(.success(1)) }
      },
      clean: { model, _ in
        let promise = Shared<Future<Int, Never>.Promise?>(nil)
        model.awaitAnswer(Future { promise.value = $0 })
        promise.value?(.success(1))
        await model.task?.value
      }),
    LeakRow(
      "a task that waits for something outside of Fanout", takesTime: true, says: holderUnknown,
      "a task",
      leak: { model, app in
        let gate = AsyncGate()
        app.atEnd { gate.open() }
        await model.wait(at: gate)
      },
      clean: { model, _ in
        let gate = AsyncGate()
        await model.wait(at: gate)
        gate.open()
        await model.task?.value
      }),
    LeakRow(
      "asyncMap with work that never returns", takesTime: true,
      says: "retained by AsyncMap.Subscription.transform", "← AnyCancellable ← itself",
      leak: { model, app in
        let gate = AsyncGate()
        app.atEnd { gate.open() }
        model.mapStrongly(app.level, gate)
      },
      clean: { model, app in
        let gate = AsyncGate()
        model.mapStrongly(app.level, gate)
        model.kept = []
        gate.open()
      }),
    LeakRow(
      "a one-by-one sink whose turn never ends",
      says: "retained by OneByOneSink.receiveValue ←", "← itself",
      leak: { model, _ in model.takeTurns(CurrentValueSubject(1)) },
      clean: { model, _ in
        model.takeTurns(CurrentValueSubject(1))
        model.resume?()
        model.kept = []
        model.resume = nil
      }),
    LeakRow(
      "a one-by-one sink whose resume alone is kept",
      says: "retained by OneByOneSink.receiveValue ←", "← itself",
      leak: { model, app in
        let beat = CurrentValueSubject<Int, Never>(1)
        app.atEnd { beat.send(completion: .finished) }
        model.takeTurnsByHand(beat)
      },
      clean: { model, _ in
        model.takeTurnsByHand(Just(1))
        model.resume?()
        model.resume = nil
      }),
    LeakRow(
      "a one-by-one sink whose asynchronous handler never returns", takesTime: true,
      says: "retained by OneByOneSink.receiveValue ← AnyCancellable ← itself",
      leak: { model, app in
        let gate = AsyncGate()
        app.atEnd { gate.open() }
        model.takeTurns(app.level, gate)
      },
      clean: { model, app in
        let gate = AsyncGate()
        model.takeTurns(app.level, gate)
        model.kept = []
        gate.open()
      }),
    LeakRow(
      "cancelled work that does not look at the cancel", takesTime: true, says: holderUnknown,
      "a task",
      leak: { model, app in
        let (began, gate) = (AsyncGate(), AsyncGate())
        app.atEnd { gate.open() }
        app.level.asyncMap(maxConcurrent: 1) { number in
          began.open()
          // A task of its own hears nothing of the cancel.
          await Task { await gate.wait() }.value
          return model.doubled(number)
        }.sink { _ in }.store(in: &model.kept)
        await began.wait()
        model.kept = []
      },
      clean: { model, app in
        let (began, gate) = (AsyncGate(), AsyncGate())
        app.level.asyncMap(maxConcurrent: 1) { number in
          began.open()
          await gate.wait()
          return model.doubled(number)
        }.sink { _ in }.store(in: &model.kept)
        await began.wait()
        model.kept = []
      }),
  ]
}

extension ScoreModel {
  fileprivate func promiseStrongly() {
    Future { self.answer = $0 }.sink { self.score = $0 }.store(in: &kept)
  }

  fileprivate func awaitAnswer(_ future: Future<Int, Never>) {
    task = Task { score = await future.value }
  }

  fileprivate func wait(at gate: AsyncGate) async {
    let began = AsyncGate()
    task = Task {
      began.open()
      await gate.wait()
      score = 0
    }
    await began.wait()
  }

  fileprivate func mapStrongly(_ level: CurrentValueSubject<Int, Never>, _ gate: AsyncGate) {
    level.asyncMap(maxConcurrent: 1) { number in
      await gate.wait()
      return self.doubled(number)
    }.sink { _ in }.store(in: &kept)
  }

  fileprivate func takeTurns(_ level: some Publisher<Int, Never>) {
    level.oneByOneSink { number, resume in
      self.score = number
      self.resume = resume
    }.store(in: &kept)
  }

  fileprivate func takeTurnsByHand(_ level: some Publisher<Int, Never>) {
    level.subscribe(
      Subscribers.OneByOneSink(
        receiveCompletion: { _ in },
        receiveValue: { number, resume in
          self.score = number
          self.resume = resume
        }))
  }

  fileprivate func takeTurns(_ level: CurrentValueSubject<Int, Never>, _ gate: AsyncGate) {
    level.oneByOneSink { number in
      await gate.wait()
      self.score = number
    }.store(in: &kept)
  }
}
