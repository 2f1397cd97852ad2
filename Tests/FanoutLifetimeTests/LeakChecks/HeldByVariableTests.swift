import Fanout
import FanoutTestSupport
import Testing

/// Leak checks read variables from copies, and still find the holder of an object in a variable of
/// any type.
struct HeldByVariableTests {
  private enum State {
    case idle
    case running(AnyCancellable, attempt: Int)
    indirect case nested(State)
  }

  private struct Keys: Hashable { var name = "scores" }

  /// A leaked model: its sink captures it, and one of its variables holds the sink's cancellable.
  private class Model: @unchecked Sendable {
    var count = 0
    var name = "a name that is too long to lie in a string's own words"
  }

  private final class One: Model, @unchecked Sendable { var kept: AnyCancellable? }
  private final class Many: Model, @unchecked Sendable { var kept: Set<AnyCancellable> = [] }
  private final class Listed: Model, @unchecked Sendable { var kept: [AnyCancellable] = [] }
  private final class Sliced: Model, @unchecked Sendable {
    var kept: ArraySlice<AnyCancellable> = []
  }
  private final class Keyed: Model, @unchecked Sendable { var kept: [Keys: AnyCancellable] = [:] }
  private final class Counted: Model, @unchecked Sendable {
    var kept: [String: (count: Int, kept: [AnyCancellable])] = [:]
  }
  private final class Erased: Model, @unchecked Sendable { var kept: Any? }
  private final class Cancel: Model, @unchecked Sendable { var kept: (any Cancellable)? }
  private final class Stateful: Model, @unchecked Sendable { var kept = State.idle }
  private final class Resulting: Model, @unchecked Sendable {
    var kept: Result<(Int, AnyCancellable), CancellationError> = .failure(CancellationError())
  }
  private final class Calling: Model, @unchecked Sendable { var kept: (() -> Void)? }
  private final class Lazy: Model, @unchecked Sendable { lazy var kept: [AnyCancellable] = [] }
  private final class Child: @unchecked Sendable { var bag: Set<AnyCancellable> = [] }
  private final class Parent: Model, @unchecked Sendable { var child: Child? }
  private final class AnyParent: Model, @unchecked Sendable { var child: AnyObject? }
  private actor Isolated {
    var kept: Set<AnyCancellable> = []
    func keep(_ cancellable: AnyCancellable) { kept.insert(cancellable) }
    func drop() { kept = [] }
    nonisolated func take(_ number: Int) {}
  }

  private func reason<M: Model>(
    _ model: M, _ keep: (M, AnyCancellable) -> Void, drop: (M) -> Void
  ) -> String {
    let tracker = LifetimeTracker()
    let subject = PassthroughSubject<Int, Never>()
    tracker.perform {
      tracker.track(model, "model")
      keep(model, subject.sink { model.count = $0 })
    }
    defer { drop(model) }
    let message = tracker.issues(outliving: "it", at: nil).first?.message ?? "nothing"
    return message.replacing("`model` outlived it: retained by ", with: "")
  }

  private let own = "Sink.receiveValue ← AnyCancellable ← itself (until cancel or completion)"

  @Test func `O5: by an optional cancellable`() {
    #expect(reason(One(), { $0.kept = $1 }, drop: { $0.kept = nil }) == own)
  }

  @Test func `O5: by a set of cancellables`() {
    #expect(reason(Many(), { $0.kept = [$1] }, drop: { $0.kept = [] }) == own)
    let many = reason(
      Many(),
      { model, cancellable in
        model.kept = Set((1...300).map { _ in AnyCancellable {} } + [cancellable])
      }, drop: { $0.kept = [] })
    #expect(many == own)
  }

  @Test func `O5: by an array and by a slice of one`() {
    #expect(reason(Listed(), { $0.kept.append($1) }, drop: { $0.kept = [] }) == own)
    let nothing = AnyCancellable {}
    #expect(reason(Sliced(), { $0.kept = [nothing, $1][1...] }, drop: { $0.kept = [] }) == own)
  }

  @Test func `O5: by dictionaries`() {
    #expect(reason(Keyed(), { $0.kept[Keys()] = $1 }, drop: { $0.kept = [:] }) == own)
    #expect(reason(Counted(), { $0.kept["a"] = (1, [$1]) }, drop: { $0.kept = [:] }) == own)
  }

  @Test func `O5: by existentials`() {
    #expect(reason(Cancel(), { $0.kept = $1 }, drop: { $0.kept = nil }) == own)
    #expect(reason(Erased(), { $0.kept = $1 }, drop: { $0.kept = nil }) == own)
    #expect(reason(Erased(), { $0.kept = [1: [$1]] }, drop: { $0.kept = nil }) == own)
    let boxed = reason(
      Erased(), { $0.kept = (1, "two", "three", Optional($1)) }, drop: { $0.kept = nil })
    #expect(boxed == own)
  }

  @Test func `O5: by enums`() {
    #expect(
      reason(Stateful(), { $0.kept = .running($1, attempt: 3) }, drop: { $0.kept = .idle }) == own)
    #expect(
      reason(
        Stateful(), { $0.kept = .nested(.nested(.running($1, attempt: 3))) },
        drop: { $0.kept = .idle }) == own)
    #expect(
      reason(
        Resulting(), { $0.kept = .success((1, $1)) },
        drop: { $0.kept = .failure(CancellationError()) }) == own)
    let gone = reason(
      Stateful(),
      { model, cancellable in
        model.kept = .running(cancellable, attempt: 1)
        model.kept = .idle
      }, drop: { _ in })
    #expect(gone.contains("nothing that Fanout knows of"), "\(gone)")
  }

  @Test func `O5: by a closure, and by a variable that a closure captures`() {
    #expect(
      reason(
        Calling(), { model, cancellable in model.kept = { cancellable.cancel() } },
        drop: { $0.kept = nil }) == own)
    let boxed = reason(
      Calling(),
      { model, cancellable in
        var bag = [cancellable]
        model.kept = { bag.removeAll() }
      }, drop: { $0.kept = nil })
    #expect(boxed == own)
  }

  @Test func `O4: by a variable with an erased publisher`() {
    final class Feed: Model, @unchecked Sendable { var all: AnyPublisher<Int, Never>? }
    let tracker = LifetimeTracker()
    let feed = tracker.track(Feed(), "feed")
    tracker.perform {
      feed.all = PassthroughSubject<Int, Never>().map { $0 + feed.count }.share()
        .eraseToAnyPublisher()
    }
    let issues = tracker.issues(outliving: "it", at: nil).map(\.message)
    #expect(
      issues == [
        "`feed` outlived it: retained by Share.upstream.transform ← AnyPublisher ← itself; "
          + "and by ShareCore.upstream.transform ← Share ← AnyPublisher ← itself"
      ])
    feed.all = nil
  }

  @Test func `O5: by a lazy variable`() {
    #expect(reason(Lazy(), { $0.kept.append($1) }, drop: { $0.kept = [] }) == own)
  }

  @Test func `O5: by an object that nobody tracks`() {
    let through =
      "Sink.receiveValue ← AnyCancellable ← HeldByVariableTests.Child ← itself"
      + " (until cancel or completion)"
    func keep(_ cancellable: AnyCancellable) -> Child {
      let child = Child()
      child.bag.insert(cancellable)
      return child
    }
    #expect(reason(Parent(), { $0.child = keep($1) }, drop: { $0.child = nil }) == through)
    #expect(reason(AnyParent(), { $0.child = keep($1) }, drop: { $0.child = nil }) == through)
  }

  @Test func `O5: by an actor`() async {
    let tracker = LifetimeTracker()
    let subject = PassthroughSubject<Int, Never>()
    let model = Isolated()
    tracker.track(model, "model")
    await model.keep(tracker.perform { subject.sink { model.take($0) } })
    let issues = tracker.issues(outliving: "it", at: nil).map(\.message)
    #expect(issues == ["`model` outlived it: retained by " + own])
    await model.drop()
  }

  @Test func `O1: a cancellable that something unknown holds is told before the ring it feeds`() {
    let tracker = LifetimeTracker()
    let global = tracker.perform { PassthroughSubject<Int, Never>().sink { _ in } }
    let message = tracker.issues(outliving: "it", at: SourcePlace()).first?.message ?? "nothing"
    #expect(
      message.hasSuffix(
        "it is retained by AnyCancellable.activity (until cancel), which "
          + "something unknown to Fanout holds: look for a property or a global"), "\(message)")
    global.cancel()
  }
}
