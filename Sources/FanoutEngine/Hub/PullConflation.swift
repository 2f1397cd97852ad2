// Invariant: everything is reached under the lock of the hub's inbox, but for `values` and `state` while a thread
// conflates: then only that thread reaches these two.

/// The values that wait for a loop that fetches, while its backlog conflates them: one for each key.
///
/// Closures of the user's find the keys and merge values, and run with no lock held. So a value is added under the
/// lock, and is conflated behind it: it waits behind the others then, or in the place of one. Meanwhile the loop takes
/// none.
package final class PullConflation<Element> {
  /// The values that the loop can take.
  let values = ValueQueue<Element>()
  @exclusivity(unchecked) var state: ConflationState<Element>
  /// The values that have been accepted and have not been conflated.
  @exclusivity(unchecked) var accepted: [Element]
  /// The number of values that wait.
  @usableFromInline @exclusivity(unchecked) package var count: Int
  /// Whether a thread conflates values.
  @exclusivity(unchecked) var isConflating = false

  /// Creates a conflation, which begins with the values that wait.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - waiting: The values.
  init(_ rule: Conflation<Element>, _ waiting: [Element]) {
    state = ConflationState(rule)
    accepted = waiting
    count = waiting.count
    noteCreation(of: self, isPart: true)
  }

  /// Whether values have to be conflated, or are at the moment.
  var isBusy: Bool { isConflating || !accepted.isEmpty }

  /// Whether values have to be conflated and no thread does it.
  var isDue: Bool { !isConflating && !accepted.isEmpty }

  /// Adds a value that was accepted.
  func add(_ element: Element) {
    accepted.append(element)
    count &+= 1
  }

  /// Takes the first value, unless a thread conflates.
  func takeFirst() -> Element? {
    guard !isConflating, let element = values.popFirst() else { return nil }
    count &-= 1
    return element
  }

  /// Begins to conflate what was accepted; returns it, or nil if there is nothing or another thread conflates.
  func begin() -> [Element]? {
    guard isDue else { return nil }
    isConflating = true
    var taken: [Element] = []
    swap(&taken, &accepted)
    return taken
  }

  /// Conflates values, with no lock held; returns those that have made way.
  func conflate(_ taken: [Element]) -> [Element] {
    taken.compactMap { state.put($0, into: values, from: values.log.head) }
  }

  /// Notes that values were conflated, of which a number have made way.
  func end(displaced: Int) {
    isConflating = false
    count &-= displaced
  }
}

extension PullConflation {
  /// The values that wait, as far as no thread conflates them.
  package var waitingValues: [Element] {
    (isConflating ? [] : values.values) + accepted
  }

  /// A copy of the keys of what waits, unless a thread conflates.
  package var keys: Any? { isConflating ? nil : state.index.copy() }
}

@available(*, unavailable)
extension PullConflation: Sendable {}
