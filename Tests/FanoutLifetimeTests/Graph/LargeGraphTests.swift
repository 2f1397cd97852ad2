import Fanout
import FanoutLifetime
import TestThreads
import Testing

/// Graphs and leak reports of programs with very many objects.
struct LargeGraphTests {
  private final class Model: @unchecked Sendable {
    var count = 0
    var kept: AnyCancellable?
  }

  private final class Link: @unchecked Sendable {
    var next: Link?

    /// A list of this many links; it is to be taken apart link by link.
    static func list(_ count: Int) -> Link {
      let first = Link()
      var last = first
      for _ in 1..<count {
        let link = Link()
        last.next = link
        last = link
      }
      return first
    }

    func takeApart() {
      var next = next
      self.next = nil
      while let link = next { (next, link.next) = (link.next, nil) }
    }
  }

  @Test func `each of many leaked models is told, by one look at all of them`() {
    let tracker = LifetimeTracker()
    let subject = PassthroughSubject<Int, Never>()
    let models = tracker.perform {
      (0..<2000).map { number in
        let model = tracker.track(Model(), "model \(number)")
        model.kept = subject.sink { model.count = $0 }
        return model
      }
    }
    let before = LeakReport(tracker).graph.nodes.count
    let issues = tracker.issues(outliving: "it", at: nil)
    #expect(issues.count == 2000)
    let ring =
      "retained by Sink.receiveValue ← AnyCancellable ← itself (until cancel or completion)"
    #expect(issues.first { !$0.message.hasSuffix(ring) }?.message == nil)
    // A model, its cancellable and the sink each, and the subject.
    #expect(before == 3 * 2000 + 1)
    for model in models { model.kept = nil }
  }

  @Test func `a long list is printed as far as anybody reads`() {
    let list = Link.list(10_000)
    let text = OwnershipGraph(of: list).description
    #expect(text.utf8.count < 30_000)
    #expect(text.hasSuffix("… and 9,899 more"), "\(text.suffix(40))")
    list.takeApart()
  }

  @Test func `a wide graph is printed as far as anybody reads`() {
    let subject = PassthroughSubject<Int, Never>()
    let sinks = (0..<5000).map { _ in subject.sink { _ in } }
    let graph = OwnershipGraph(of: subject)
    let lines = graph.description.split(separator: "\n")
    #expect(graph.nodes.count == 5001)
    #expect(lines.count == 2001)
    #expect(lines.last?.hasPrefix("… and ") == true)
    for sink in sinks { sink.cancel() }
  }

  @Test func `a long list is walked on a small stack`() {
    let list = Link.list(100_000)
    let tracker = LifetimeTracker()
    tracker.track(list, "list")
    let found = Notes<String>()
    let finished = finishes(stackSize: 512 << 10) {
      found.append("\(OwnershipGraph(of: list).nodes.count)")
      found.append("\(OwnershipGraph(of: list).description.utf8.count < 30_000)")
      found.append("\(tracker.issues(outliving: "it", at: nil).count)")
    }
    #expect(finished)
    #expect(found.all == ["100000", "true", "1"])
    list.takeApart()
  }

  private final class Caller: @unchecked Sendable {
    var call: @Sendable () -> Void = {}
  }

  private indirect enum Nest: Sendable {
    case empty
    case inside(Nest, Caller)
  }

  @Test func `closures and values within each other are walked on a small stack`() {
    let tracker = LifetimeTracker()
    let caller = tracker.track(Caller(), "caller")
    let subject = CurrentValueSubject<Nest, Never>(.empty)
    for _ in 0..<1000 {
      let (inner, value) = (caller.call, subject.value)
      caller.call = { inner() }
      subject.value = .inside(value, caller)
    }
    let call = caller.call
    let sinks = tracker.perform { [subject.sink { _ in call() }, AnyCancellable { call() }] }
    let found = Notes<Int>()
    let finished = finishes(stackSize: 512 << 10) {
      found.append(tracker.issues(outliving: "it", at: nil).count)
      found.append(OwnershipGraph(of: caller, subject).roots.count)
    }
    #expect(finished)
    #expect(found.all == [1, 2])
    for sink in sinks { sink.cancel() }
    caller.call = {}
  }

  @Test func `rings that all close at one object are bounded too`() {
    final class Knot: @unchecked Sendable {
      var next: Knot?
      var first: Knot?
    }
    let first = Knot()
    var last = first
    for _ in 1..<3000 {
      let knot = Knot()
      knot.first = first
      last.next = knot
      last = knot
    }
    let graph = OwnershipGraph(of: first)
    #expect(graph.nodes.count == 3000)
    #expect(graph.cycles.map(\.nodes.count).reduce(0, +) <= 1_000_000)
    var next = first.next
    first.next = nil
    while let knot = next { (next, knot.next, knot.first) = (knot.next, nil, nil) }
  }
}
