/// The objects that one or several roots keep alive now, and the references between them.
///
/// The graph is read from the objects themselves, as they lie in memory, with the contexts of
/// closures. Fanout's own objects list what other threads may be changing. Only references that
/// retain are followed. Every reference shown exists. References from raw memory of a program's own
/// are missed. The graph says "not read" where it meets a value that cannot be copied, such as a
/// `Mutex`, a task, an object of the system, or a capture of an unknown type. What closures and a
/// program's objects hold is read by its layout in memory, which is checked at first use: where it
/// is not the one that Fanout knows, the graph says "not read" and names the rest.
///
/// The graph is data: once made, it retains none of the objects. No thread waits while it is made.
///
/// The graph reads an idle source as a thread that delivers. If another thread sends in that
/// moment, its `send` may return before the value is delivered, and the thread that makes the graph
/// delivers the value (D4). Each value still arrives once and in order. So make a graph on a thread
/// on which your subscribers may be called, or while no other thread sends.
///
/// - Concurrency: other threads may be using Fanout's objects meanwhile; an object that cannot be
///   examined without waiting is marked. A program's own objects must not change while the graph is
///   made, just as while they are printed. A leak check takes more care: it reads their variables
///   from copies.
/// - Cost: grows with the number of objects; it is for diagnosis.
///
/// ```swift
/// import Fanout
/// import FanoutLifetime
///
/// let taps = PassthroughSubject<Int, Never>()
/// let reading = taps.sink { print($0) }
/// print(OwnershipGraph(of: reading, names: ["taps": taps]))
/// reading.cancel()
/// print(OwnershipGraph(of: reading))
/// // Prints:
/// // AnyCancellable
/// //   what it cancels: Sink (until cancel)
/// //     publisher: PassthroughSubject 'taps' (until cancel or completion)
/// //       subscription: Sink ↩ cycle: broken by cancel or completion
/// // AnyCancellable
/// ```
public struct OwnershipGraph: Sendable {
  /// The objects, and the roots that are values, in the order in which the tree shows them.
  public let nodes: [Node]
  /// The references, grouped by owner.
  public let edges: [Edge]
  /// The nodes from which the graph was made.
  public let roots: [Node.ID]
  /// The rings of references, each found where the tree returns to one of its own branches; of very
  /// many and long ones not all.
  public let cycles: [Cycle]
  /// The indices of each node's edges.
  let outgoing: [[Int]]
  /// The kinds of things that were met and are not laid out as Fanout knows them.
  let unread: Set<Reading>

  /// Makes the graph of everything that the given objects and values keep alive.
  ///
  /// - Parameters:
  ///   - roots: The roots: a cancellable, a publisher, a subject, any object or value of a
  ///     program's. A collection of objects, or an optional, stands for its contents.
  ///   - names: The names of objects, which also apply to objects found on the way.
  public init(of roots: Any..., names: KeyValuePairs<String, AnyObject> = [:]) {
    let pairs = names.map { (ObjectIdentifier($0.value), $0.key) }
    self = withExtendedLifetime(names) {
      OwnershipGraph(roots: roots, names: Dictionary(pairs, uniquingKeysWith: { $1 }))
    }
  }

  /// Makes the graph of everything that roots keep alive, with names by identity.
  ///
  /// With `isShared`, variables of a program's own objects are read from copies, so that other
  /// threads may change them meanwhile, and the rings are left out.
  package init(
    roots: [Any], names: [ObjectIdentifier: String], isShared: Bool = false,
    parts: [AnyObject] = [], reader: RuntimeReader = .shared
  ) {
    var builder = GraphBuilder(names: names, isShared: isShared, parts: parts, reader: reader)
    for root in roots { builder.addRoot(root) }
    builder.followAll()
    self.init(GraphOrder(builder.draft), findsCycles: !isShared)
  }

  /// The ways to break the cycle that a reference closes, by the reference's index.
  var remedies: [Int: String] {
    Dictionary(cycles.map { ($0.closingEdge, $0.remedy) }, uniquingKeysWith: { $1 })
  }

  /// The kinds of things that are not laid out as Fanout knows them, in words; nil if there are
  /// none.
  var unreadText: String? {
    guard !unread.isEmpty else { return nil }
    let kinds = Reading.allCases.filter(unread.contains).map(\.rawValue).joined(separator: ", ")
    return "not read, because the layout in memory is not the one that Fanout knows: \(kinds)"
  }

  private init(_ order: GraphOrder, findsCycles: Bool) {
    nodes = order.nodes
    edges = order.edges
    roots = order.roots
    outgoing = order.outgoing
    unread = order.unread
    cycles = findsCycles ? CycleSearch(order).cycles : []
  }
}
