import Fanout
import FanoutTestSupport
import TestThreads
import Testing

/// A leak check that comes in the middle of a delivery finds what the sinks of the delivering subject hold.
struct HeldByBusySinkTests {
  private final class Model: @unchecked Sendable {
    var count = 0
    var kept: AnyCancellable?
  }

  /// Returns the report of a check that runs inside a delivery of the publisher that the model subscribes to.
  private func report<P: Publisher>(
    during publisher: P, _ send: () -> Void, _ attach: (Model, P) -> Void
  ) -> String where P.Output == Int, P.Failure == Never {
    let tracker = LifetimeTracker()
    let model = Model()
    let messages = Notes<String>()
    tracker.perform {
      tracker.track(model, "model")
      attach(model, publisher)
    }
    let check = publisher.sink { _ in
      for issue in tracker.issues(outliving: "it", at: nil) { messages.append(issue.message) }
    }
    send()
    check.cancel()
    model.kept = nil
    return messages.all.joined()
  }

  @Test(arguments: [false, true])
  func `a sink's closures are read while its subject delivers`(receivesEnd: Bool) {
    let subject = PassthroughSubject<Int, Never>()
    let report = report(during: subject, { subject.send(1) }) { model, subject in
      model.kept =
        receivesEnd
        ? subject.sink(receiveCompletion: { _ in model.count = 0 }, receiveValue: { _ in })
        : subject.sink { model.count = $0 }
    }
    let closure = receivesEnd ? "receiveCompletion" : "receiveValue"
    #expect(
      report
        == "`model` outlived it: retained by Sink.\(closure) ← AnyCancellable ← itself (until cancel or completion)"
    )
  }

  @Test func `a share's sink is read while the share delivers`() {
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.share()
    let report = report(during: shared, { subject.send(1) }) { model, shared in
      model.kept = shared.sink { model.count = $0 }
    }
    #expect(report.contains("retained by Sink"), "\(report)")
  }
}
