import Fanout
import FanoutLifetime
import Foundation
import Synchronization
import Testing

/// Of each way to hold an object a graph names the reference, or it says what it does not read, and why.
struct UnreadTests {
  private final class Held: Sendable {}

  private struct Unique: ~Copyable {
    let held: Held
    let number = 1
  }

  private struct Failure: Error {
    let held: Held
  }

  private indirect enum List {
    case end(Held)
    case link(List)
  }

  private final class Calling {
    let action: () -> Void
    var changing: () -> Void

    init(_ action: @escaping () -> Void, _ changing: @escaping () -> Void) {
      self.action = action
      self.changing = changing
    }
  }

  /// What a graph says of references, in whatever order: the roles of those that it has read, and the
  /// others with the reason.
  private struct Told: Equatable {
    let read: [String]
    let unread: [String]

    init(read: [String] = [], unread: [String] = []) {
      self.read = read.sorted()
      self.unread = unread.sorted()
    }

    init(_ graph: OwnershipGraph) {
      let roles = graph.edges.map { $0.role.replacing(/\.value$/, with: "") }
      self.init(read: roles, unread: graph.nodes.flatMap(\.unread))
    }
  }

  /// Expects the same of a graph that a user makes, and of one that a leak check makes.
  private func expect(
    _ told: Told, of holder: AnyObject, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for isShared in [false, true] {
      let graph = OwnershipGraph(roots: [holder], names: [:], isShared: isShared)
      #expect(Told(graph) == told, sourceLocation: sourceLocation)
    }
  }

  @Test func `locks`() {
    final class Locking {
      let lock = Mutex<Held?>(Held())
      let list = Mutex([Held()])
      let empty = Mutex<Held?>(nil)
      let number = Mutex(1)
      let nothing: Void = ()
    }
    let holder = Locking()
    expect(
      Told(
        unread: ["lock: a value that cannot be copied", "list: a value that cannot be copied"]),
      of: holder)
    #expect(
      OwnershipGraph(of: holder).description == """
        UnreadTests.Locking
          lock: not read, a value that cannot be copied
          list: not read, a value that cannot be copied
        """)
    #expect(
      OwnershipGraph(of: holder).mermaid.contains(
        "UnreadTests.Locking<br/>lock: not read, a value that cannot be copied<br/>list: not read"))
  }

  @Test func `structs that cannot be copied`() {
    final class Owning {
      let unique = Unique(held: Held())
      var changing = Unique(held: Held())
      var optional: Unique? = Unique(held: Held())
      var none: Unique?
    }
    expect(
      Told(
        unread: ["unique", "changing", "optional"].map { "\($0): a value that cannot be copied" }),
      of: Owning())
  }

  @Test func `closures, tasks and errors in what cannot be copied`() {
    enum Choice: ~Copyable {
      case action(() -> Void)
      case task(Task<Void, Never>)
      case error(any Error)
    }
    final class Owning {
      let first: Choice
      let second = Choice.task(Task {})
      let third = Choice.error(Failure(held: Held()))
      init(_ action: @escaping () -> Void) { first = .action(action) }
    }
    let held = Held()
    expect(
      Told(unread: ["first", "second", "third"].map { "\($0): a value that cannot be copied" }),
      of: Owning { use(held) })
  }

  @Test func `arrays of a fixed size`() {
    final class Inline {
      let fixed: InlineArray<2, Held> = [Held(), Held()]
      var changing: InlineArray<1, (number: Int, held: Held)> = [(1, Held())]
      let numbers: InlineArray<2, Int> = [1, 2]
    }
    expect(Told(read: ["fixed", "fixed", "changing.held"]), of: Inline())
  }

  @Test func `tasks`() {
    final class Working {
      let task: Task<Void, Never>
      var optional: Task<Void, Never>?
      var none: Task<Void, Never>?
      let action: () -> Void

      init(_ held: Held) {
        let task = Task { use(held) }
        self.task = task
        optional = Task { use(held) }
        action = { use(task, held) }
      }
    }
    expect(
      Told(read: ["action"], unread: ["task: a task", "action: a task", "optional: a task"]),
      of: Working(Held()))
  }

  @Test func `objects of the system`() {
    final class Foreign {
      let array = NSArray(array: [Held()])
      var changing: NSArray? = NSArray(array: [Held()])
      let queue = DispatchQueue(label: "queue")
      let lock = NSLock()
      let url = URL(string: "https://example.org")
      let data = Data(count: 100)
    }
    expect(
      Told(
        read: ["array", "changing", "queue", "lock"],
        unread: Array(
          repeating: "contents: an object of the system or of another library", count: 2)),
      of: Foreign())
  }

  @Test func `closures in collections`() {
    final class Actions {
      let fixed: [() -> Void]
      var list: [() -> Void]
      var named: [String: (Int) -> String]

      init(_ first: Held, _ second: Held, _ third: Held) {
        fixed = [{ use(first) }]
        list = [{ use(second) }]
        named = ["a": { _ in "\(third)" }]
      }
    }
    expect(Told(read: ["fixed", "list", "named"]), of: Actions(Held(), Held(), Held()))
  }

  @Test func `errors`() {
    struct Wide: Error {
      let numbers = (1, 2, 3, 4)
      let held: Held
    }
    final class Results {
      var typed: Result<Int, Failure> = .failure(Failure(held: Held()))
      var erased: Result<Int, any Error> = .failure(Failure(held: Held()))
      var error: any Error = Wide(held: Held())
      var list: [any Error] = [Failure(held: Held()), CancellationError()]
      let fixed: any Error = Failure(held: Held())
    }
    expect(
      Told(read: ["typed.held", "erased.held", "error.held", "list.held", "fixed.held"]),
      of: Results())
  }

  @Test func `errors that closures capture`() {
    let first: any Error = opaque(Failure(held: Held()))
    let second: any Error = opaque(Failure(held: Held()))
    let number = opaque(1)
    expect(
      Told(read: ["action.held", "changing.held"]), of: Calling({ use(first) }, { use(second) }))
    expect(
      Told(read: ["action.held", "changing.held"]),
      of: Calling({ use(first, number) }, { use(number, second) }))
  }

  @Test func `parameter packs`() {
    let held = Held()
    // Of an optimised build the packs are tuples, which are read.
    for isShared in [false, true] {
      let holder = Calling(packed(1, "a", held), packed(Held(), 2))
      let told = Told(OwnershipGraph(roots: [holder], names: [:], isShared: isShared))
      let unread = Told(
        unread: ["action", "changing"].map { "\($0): a capture of an unknown type" })
      #expect(told == unread || told == Told(read: ["action.2", "changing.0"]))
    }
  }

  private func packed<each Value>(_ values: repeat each Value) -> () -> Void {
    { (repeat use(each values)) }
  }

  @Test func `enums that lie too deep in each other`() {
    final class Deep {
      let list: List
      var changing: List

      init(_ depth: Int) {
        func list() -> List {
          var list = List.end(Held())
          for _ in 0..<depth { list = .link(list) }
          return list
        }
        self.list = list()
        changing = list()
      }
    }
    expect(Told(read: ["list", "changing"]), of: Deep(50))
    expect(
      Told(
        unread: ["list", "changing"].map { "\($0): values that lie too deep in each other" }),
      of: Deep(150))
  }

  @Test func `objects of Fanout's that nobody has tracked`() {
    final class Keeping {
      var kept: AnyCancellable?
    }
    let holder = Keeping()
    holder.kept = AnyCancellable {}
    let graph = OwnershipGraph(roots: [holder], names: [:], isShared: true)
    #expect(
      Told(graph)
        == Told(
          read: ["kept"], unread: ["contents: an object of Fanout's that only a variable holds"]))
  }

  @Test func `names of types with closures in them`() {
    #expect(
      OwnershipGraph(of: Holder<(Int) -> Void, [(String) -> Int]> { _, _ in }).nodes.map(\.name)
        == ["Holder"])
    #expect(OwnershipGraph(of: Box<() -> Void> {}).nodes.map(\.name) == ["Box"])
  }
}
