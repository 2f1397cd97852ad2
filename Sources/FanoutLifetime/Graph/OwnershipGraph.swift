/// Who keeps whom alive now, from one or several roots downwards.
///
/// It is read off the objects themselves: Fanout's own tell what they hold, those of a program are
/// reflected, and the contexts of closures are looked into. Only references that retain are
/// followed. What is shown is there; what is held in raw memory of a program's own, by objects of
/// the system, or by a closure behind a capture whose type cannot be told, is missed.
///
/// It is data: it retains none of the objects once it is made. Looking changes nothing: who sends
/// meanwhile waits for the moment that it takes, and delivers on its own thread.
///
/// - Concurrency: Fanout's objects may be in use by other threads meanwhile; what cannot be looked at
///   without waiting is marked. A program's own objects must not be changed while the graph is made,
///   as when they are printed.
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
/// //     subscription: Subscription (until cancel or completion)
/// //       publisher: PassthroughSubject 'taps' (until cancel or completion)
/// //         subscription: Subscription ↩ cycle: broken by cancel or completion
/// //       subscriber: Sink ↩ cycle: broken by cancel or completion
/// // AnyCancellable
/// ```
public struct OwnershipGraph: Sendable {
  /// The objects, and the roots that are values, in the order in which the tree shows them.
  public let nodes: [Node]
  /// The references, grouped by owner.
  public let edges: [Edge]
  /// The nodes from which the graph was made.
  public let roots: [Node.ID]
  /// Rings of references, each found where the tree comes back to one of its own branches.
  public let cycles: [Cycle]
  /// Per node the indices of its edges.
  let outgoing: [[Int]]

  /// Reads off what the given objects and values keep alive.
  ///
  /// - Parameters:
  ///   - roots: A cancellable, a publisher, a subject, any object or value of a program's. A
  ///     collection of objects, or an optional, stands for what is in it.
  ///   - names: Names for objects, also for such as are found on the way.
  public init(of roots: Any..., names: KeyValuePairs<String, AnyObject> = [:]) {
    let pairs = names.map { (ObjectIdentifier($0.value), $0.key) }
    self = withExtendedLifetime(names) {
      OwnershipGraph(roots: roots, names: Dictionary(pairs, uniquingKeysWith: { $1 }))
    }
  }

  /// Reads off what roots keep alive, with names by identity.
  init(roots: [Any], names: [ObjectIdentifier: String]) {
    var builder = GraphBuilder(names: names)
    for root in roots { builder.addRoot(root) }
    builder.followAll()
    self.init(GraphOrder(builder.draft))
  }

  /// What breaks the cycle that a reference closes, by its index.
  var remedies: [Int: String] {
    Dictionary(cycles.map { ($0.closingEdge, $0.remedy) }, uniquingKeysWith: { $1 })
  }

  init(_ order: GraphOrder) {
    nodes = order.nodes
    edges = order.edges
    roots = order.roots
    outgoing = order.outgoing
    cycles = CycleSearch(order).cycles
  }
}
