import Fanout
import FanoutEngine
import FanoutLifetime
import FanoutTestSupport
import Synchronization
import TestThreads
import Testing

struct OwnershipGraphTests {
  final class Node {
    var children: [Node] = []
    var next: Node?
    weak var parent: Node?
    unowned(unsafe) var unsafely: Node?
    var state = State()
    var pair: (Int, Node?) = (1, nil)
    var byName: [String: Node] = [:]
    var result: Result<Node, any Error>?
    lazy var lately: Node? = nil
    var anything: Any?
    var constrained: (any AnyObject & Sendable)?

    struct State {
      var selected: Node?
      weak var weakly: Node?
      var unmanaged: Unmanaged<Node>?
    }
  }

  private func roles(_ root: Any) -> [String] { OwnershipGraph(of: root).edges.map(\.role) }

  @Test func `every strong property of a user's object is followed, and no other`() {
    let (node, other) = (Node(), Node())
    node.parent = other
    node.unsafely = other
    node.state.weakly = other
    node.state.unmanaged = .passUnretained(other)
    #expect(roles(node) == [])
    node.children = [Node()]
    node.next = Node()
    node.state.selected = Node()
    node.pair.1 = Node()
    node.byName = ["a": Node()]
    node.result = .success(Node())
    node.lately = Node()
    node.anything = Node()
    node.constrained = Picture(1)
    let found = roles(node)
    #expect(
      found == [
        "children", "next", "state.selected", "pair.1", "byName.value", "result", "lately",
        "anything",
        "constrained",
      ])
    withExtendedLifetime(other) {}
  }

  @Test func `superclasses, existentials, errors and erased keys are followed`() {
    class Parent { var first: AnyObject? = Node() }
    final class Child: Parent {
      var second: any Touchable = Wide(numbers: (1, 2, 3, 4), target: Target())
      var third: (any Error)? = Failure(node: Picture(1))
      var fourth: [AnyHashable: Any] = [1: Target()]
      var fifth: (any Publisher<Int, Never>)? = Just(1)
    }
    struct Failure: Error { let node: Picture }
    #expect(roles(Child()) == ["first", "second.target", "third.node", "fourth.value"])
  }

  @Test func `actors are looked into; locks, atomics and tasks are not, and do no harm`() {
    actor Worker {
      let held = Target()
      let task = Task<Void, Never> {}
      let stream = AsyncStream<Int>.makeStream()
    }
    final class Locking {
      let lock = Mutex(Target())
      let flag = Atomic(false)
      let other = Other()
      var keyPath: AnyKeyPath = \Target.count
      var iterator = [1].makeIterator()
    }
    #expect(roles(Worker()) == ["held"])
    #expect(roles(Locking()) == ["other"])
  }

  @Test func `objects with a mirror of their own hide nothing`() {
    final class Secretive: CustomReflectable {
      let held = Target()
      var customMirror: Mirror { Mirror(self, children: []) }
    }
    #expect(roles(Secretive()) == ["held"])
  }

  @Test func `an object that holds itself is a cycle that no event breaks`() {
    let node = Node()
    node.next = node
    #expect(
      OwnershipGraph(of: node).description == """
        OwnershipGraphTests.Node
          next: OwnershipGraphTests.Node ↩ cycle: broken only by changing an object
        """)
    node.next = nil
  }

  @Test func `a long chain and deep values do not grow the stack`() {
    let first = Node()
    var last = first
    for _ in 0..<20_000 {
      let next = Node()
      last.next = next
      last = next
    }
    let graph = OwnershipGraph(of: first)
    #expect(graph.nodes.count == 20_001)
    #expect(graph.cycles.isEmpty)
    #expect(graph.mermaid.count > 20_000)
    var next = first.next
    first.next = nil
    while let node = next {
      next = node.next
      node.next = nil
    }
    indirect enum Deep {
      case end(Node)
      case more(Deep)
    }
    var deep = Deep.end(Node())
    for _ in 0..<1_000 { deep = .more(deep) }
    #expect(OwnershipGraph(of: deep).nodes.count == 1)
  }

  @Test func `a hundred thousand values are one line, objects among values are nodes`() {
    let numbers = ReplaySubject<Int, Never>(.all)
    for number in 0..<100_000 { numbers.send(number) }
    #expect(OwnershipGraph(of: numbers).description == "ReplaySubject\n  100,000 values")
    let tokens = ReplaySubject<Picture?, Never>(.all)
    for id in 0..<30 { tokens.send(id < 28 ? Picture(id) : nil) }
    let graph = OwnershipGraph(of: tokens)
    #expect(graph.nodes.count == 29)
    let lines = graph.description.split(separator: "\n")
    #expect(lines.count == 22)
    #expect(lines.last == "  value: Picture, 8 more")
    let many = ReplaySubject<Picture, Never>(.all)
    for id in 0..<20_000 { many.send(Picture(id)) }
    #expect(OwnershipGraph(of: many).nodes.count == 20_001)
    let erased = ReplaySubject<Any, Never>(.all)
    for value in [1, "text", 2.5, Picture(1)] as [Any] { erased.send(value) }
    #expect(OwnershipGraph(of: erased).nodes.map(\.values.first?.count) == [3, nil])
  }

  @Test func `it retains nothing once it is made`() {
    let tracker = LifetimeTracker()
    var graphs: [OwnershipGraph] = []
    do {
      let node = tracker.track(Node(), "node")
      node.next = tracker.track(Node(), "next")
      graphs.append(OwnershipGraph(of: node, names: ["root": node]))
      #expect(graphs[0].nodes.map(\.object).first == ObjectIdentifier(node))
    }
    #expect(tracker.survivors() == [])
    #expect(graphs[0].nodes.count == 2)
  }

  @Test func `several roots, collections and optionals as roots`() {
    let (first, second) = (Node(), Node())
    first.next = second
    let graph = OwnershipGraph(of: [first, second], names: ["second": second])
    #expect(
      graph.description == """
        OwnershipGraphTests.Node
          next: OwnershipGraphTests.Node 'second'
        OwnershipGraphTests.Node 'second' (see above)
        """)
    #expect(OwnershipGraph(of: Optional(first) as Any, Node?.none as Any).nodes.count == 2)
    #expect(OwnershipGraph(of: (1, second), "text", 3).nodes.count == 4)
    #expect(OwnershipGraph(of: Set<AnyCancellable>()).description == "")
  }

  @Test func `a set's elements come in the same order in each run`() {
    let (apples, pears) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(1))
    let texts = (0..<10).map { _ in
      let model = ViewModel()
      for subject in 0..<4 {
        if subject.isMultiple(of: 2) {
          apples.sink { _ in }.store(in: &model.kept)
        } else {
          pears.map { $0 }.sink { _ in }.store(in: &model.kept)
        }
      }
      let nodes = OwnershipGraph(of: model).nodes.map(\.name)
      return nodes.joined(separator: " ")
    }
    #expect(Set(texts).count == 1)
  }

  private final class Hub {
    var cache: Target?
    weak var other: Target?
    init(_ cache: Target) { self.cache = cache }
  }

  @Test func `a user's class with the name of one of Fanout's is the user's`() {
    let hub = Hub(Target())
    #expect(OwnershipGraph(of: hub).edges.map(\.until) == [[]])
    #expect(OwnershipGraph(of: hub).edges.map(\.role) == ["cache"])
  }

  private struct Tree {
    var children: [Tree] = []
    var screen: Target?
  }

  private final class Forest {
    let tree: Tree
    init(_ tree: Tree) { self.tree = tree }
  }

  @Test func `a struct that contains itself is looked into`() {
    let forest = Forest(Tree(children: [Tree(children: [Tree(screen: Target())])]))
    #expect(
      OwnershipGraph(of: forest).nodes.map(\.name) == ["OwnershipGraphTests.Forest", "Target"])
  }

  private final class Failing {
    let reason: (any Error & AnyObject)?
    init(_ reason: any Error & AnyObject) { self.reason = reason }
  }

  private final class Reason: Error {}

  @Test func `an error that is an object is one`() {
    #expect(
      OwnershipGraph(of: Failing(Reason())).nodes.map(\.name)
        == ["OwnershipGraphTests.Failing", "OwnershipGraphTests.Reason"])
  }
}

struct OwnershipGraphRaceTests {
  @Test func `a hub that delivers on another thread is marked, and not waited for`() {
    let subject = PassthroughSubject<Int, Never>()
    let texts = Notes<String>()
    let sink = subject.sink { _ in
      let read: @Sendable () -> Void = { texts.append(OwnershipGraph(of: subject).description) }
      #expect(race(read))
    }
    subject.send(1)
    #expect(texts.all == ["PassthroughSubject\n  subscription: being delivered just now"])
    sink.cancel()
  }

  @Test func `graphs may be made while others send, subscribe and cancel`() {
    let subject = ReplaySubject<Picture, Never>(.last(3))
    let busy: @Sendable () -> Void = {
      for id in 0..<300 {
        let sink = subject.map { $0.id }.sink { _ in }
        subject.send(Picture(id))
        sink.cancel()
      }
    }
    let read: @Sendable () -> Void = {
      for _ in 0..<300 { _ = OwnershipGraph(of: subject).description }
    }
    #expect(race(busy, busy, read, read))
    #expect(OwnershipGraph(of: subject).nodes.count == 4)
  }
}
