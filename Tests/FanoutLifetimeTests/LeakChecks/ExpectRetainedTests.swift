import Fanout
import FanoutTestSupport
import Testing

struct ExpectRetainedTests {
  @Test func `O1: passes for the owner that alone keeps the object`() {
    expectRetained("probe", by: "cancellable") { scope in
      let subject = scope.hold(PassthroughSubject<Int, Never>(), "subject")
      let probe = scope.track(Probe(), "probe")
      scope.hold(subject.sink { probe.take($0) }, "cancellable")
    }
  }

  @Test func `fails for one that does not keep it`() {
    let fault =
      "`probe` is not kept alive by `subject`: with nothing else held, it is gone"
    expectIssues([(fault, #line + 3)]) {
      expectRetained("probe", by: "subject") { scope in
        let subject = scope.hold(PassthroughSubject<Int, Never>(), "subject")
        let probe = scope.track(Probe(), "probe")
        scope.hold(subject.sink { probe.take($0) }, "cancellable")
      }
    }
  }

  @Test func `fails for one that is not alone in keeping it`() {
    let cycle = Cycle()
    defer { cycle.open() }
    let ring = "`cycle` outlived `owner`: retained by Cycle.other ← itself"
    expectIssues([(ring, #line + 2)]) {
      expectRetained("cycle", by: "owner") { scope in
        scope.hold(scope.track(cycle, "cycle"), "owner")
      }
    }
  }

  @Test func `says which name is not known`() {
    expectIssues([
      ("nothing is tracked under the name `prob`: call scope.track(…, \"prob\")", #line + 2)
    ]) {
      expectRetained("prob", by: "owner") { scope in
        scope.hold(scope.track(Probe(), "probe"), "owner")
      }
    }
    expectIssues([
      ("nothing is held under the name `own`: call scope.hold(…, \"own\")", #line + 2)
    ]) {
      expectRetained("probe", by: "own") { scope in
        scope.hold(scope.track(Probe(), "probe"), "owner")
      }
    }
  }
}
