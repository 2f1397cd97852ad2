import Dispatch
import Fanout

/// Leaks of a program without Fanout. A check finds those on a path from the model; for others the
/// report says that Fanout does not know the holder.
extension LeakRow {
  static let ownObjects = [
    LeakRow(
      "a closure in a property", says: "retained by ScoreModel 'model'.onScore ← itself",
      leak: { model, _ in model.onScore = { model.score = $0 } },
      clean: { model, _ in model.onScore = { [weak model] in model?.score = $0 } }),
    LeakRow(
      "two objects that hold each other", says: "retained by ScoreRow.owner ←", "itself",
      leak: { model, _ in
        model.child = ScoreRow()
        model.child?.owner = model
      },
      clean: { model, _ in
        model.child = ScoreRow()
        model.child?.delegate = model
      }),
    LeakRow(
      "a delegate that is held", says: "retained by Referee.delegate ←", "itself",
      leak: { model, _ in model.other = Referee(delegate: model) },
      clean: { model, _ in
        let referee = Referee(delegate: nil)
        referee.weakDelegate = model
        model.other = referee
      }),
    LeakRow(
      "a singleton", says: holderUnknown, "a global",
      leak: { model, app in app.hold(model) },
      clean: { model, app in
        app.hold(model)
        app.forgetAll()
      }),
    LeakRow(
      "an observer that is never removed", says: holderUnknown, "a stored closure",
      leak: { model, app in
        let observer: @Sendable (Int) -> Void = { model.score = $0 }
        app.hold(observer)
      },
      clean: { model, app in
        let observer: @Sendable (Int) -> Void = { [weak model] in model?.score = $0 }
        app.hold(observer)
      }),
    LeakRow(
      "a timer's handler", says: holderUnknown,
      leak: { model, app in
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .distantFuture)
        timer.setEventHandler { model.score = 0 }
        timer.resume()
        let held = HeldTimer(timer: timer)
        model.other = held
        app.atEnd { held.timer.cancel() }
      },
      clean: { model, app in
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .distantFuture)
        timer.setEventHandler { [weak model] in model?.score = 0 }
        timer.resume()
        let held = HeldTimer(timer: timer)
        model.other = held
        app.atEnd { held.timer.cancel() }
      }),
  ]
}

// `@unchecked Sendable` invariant: written before it is handed on.

/// A counter that notifies one delegate.
private final class Referee: @unchecked Sendable {
  let delegate: ScoreModel?
  weak var weakDelegate: ScoreModel?
  init(delegate: ScoreModel?) { self.delegate = delegate }
}

// `@unchecked Sendable` invariant: a timer of Dispatch may be used from any thread.

private final class HeldTimer: @unchecked Sendable {
  let timer: any DispatchSourceTimer
  init(timer: any DispatchSourceTimer) { self.timer = timer }
}
