// Invariant: everything is reached under the lock of the hub's inbox, but for `values` and `state` while a thread
// conflates: then only that thread reaches these two.

/// The values that wait for a loop that fetches, while its backlog conflates them: one for each key.
///
/// Closures of the user's find the keys and merge values, and run with no lock held. So a value is added under the
/// lock, and is conflated behind it: it waits behind the others then, or in the place of one. Meanwhile the loop takes
/// none.
@_fixed_layout @usableFromInline
package final class PullConflation<Element> {
  /// Something that has been accepted and has not been conflated.
  @usableFromInline
  enum Accepted {
    case value(Element)
    /// None of the values behind this takes the place of one in front of it.
    case connection
  }

  /// The values that the loop can take.
  @usableFromInline let values = ValueQueue<Element>()
  @exclusivity(unchecked) @usableFromInline var state: ConflationState<Element>
  @exclusivity(unchecked) @usableFromInline var accepted: [Accepted]
  /// The number of values that have not been conflated.
  @exclusivity(unchecked) @usableFromInline var acceptedCount: Int
  /// The number of values that wait.
  @exclusivity(unchecked) @usableFromInline package var count: Int
  /// Whether a thread conflates values.
  @exclusivity(unchecked) @usableFromInline var isConflating = false

  /// Creates a conflation, which begins with the values that wait.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - earlier: The values of earlier connections, which stay as they are.
  ///   - current: The values of the current connection, behind these.
  @inlinable
  init(_ rule: Conflation<Element>, earlier: ArraySlice<Element>, _ current: ArraySlice<Element>) {
    state = ConflationState(rule)
    accepted = current.map { .value($0) }
    acceptedCount = current.count
    count = earlier.count &+ current.count
    for element in earlier { values.append(element) }
    state.openedAt = values.log.end
    noteCreation(of: self, isPart: true)
  }

  /// The number of values that the loop can take now.
  @inlinable var readyCount: Int { isConflating ? 0 : values.count }

  /// Whether values have to be conflated, or are at the moment.
  @inlinable var isBusy: Bool { isConflating || acceptedCount > 0 }

  /// Whether values have to be conflated and no thread does it.
  @inlinable var isDue: Bool { !isConflating && acceptedCount > 0 }

  /// Adds a value that was accepted.
  @inlinable
  func add(_ element: Element) {
    accepted.append(.value(element))
    acceptedCount &+= 1
    count &+= 1
  }

  /// Notes that a connection begins.
  @inlinable
  func noteConnection() {
    guard count > 0 else { return }
    if case .connection? = accepted.last { return }
    accepted.append(.connection)
  }

  /// Takes the first value, unless a thread conflates.
  @inlinable
  func takeFirst() -> Element? {
    guard !isConflating, let element = values.popFirst() else { return nil }
    count &-= 1
    return element
  }

  /// Begins to conflate what was accepted; returns it, or nil if there is nothing or another thread conflates.
  @inlinable
  func begin() -> [Accepted]? {
    guard isDue else { return nil }
    isConflating = true
    acceptedCount = 0
    var taken: [Accepted] = []
    swap(&taken, &accepted)
    return taken
  }

  /// Conflates values, with no lock held; returns those that have made way.
  @inlinable
  func conflate(_ taken: [Accepted]) -> [Element] {
    var displaced: [Element] = []
    for next in taken {
      switch next {
      case .connection: state.openedAt = values.log.end
      case .value(let element):
        let first = max(values.log.head, state.openedAt)
        if let old = state.put(element, into: values, from: first) { displaced.append(old) }
      }
    }
    return displaced
  }

  /// Notes that values were conflated, of which a number have made way.
  @inlinable
  func end(displaced: Int) {
    isConflating = false
    count &-= displaced
  }
}

extension PullConflation {
  /// The values that wait, as far as no thread conflates them.
  package var waitingValues: [Element] {
    (isConflating ? [] : values.values)
      + accepted.compactMap { if case .value(let element) = $0 { element } else { nil } }
  }

  /// A copy of the keys of what waits, unless a thread conflates.
  package var keys: Any? { isConflating ? nil : state.index.copy() }
}

@available(*, unavailable)
extension PullConflation: Sendable {}

@available(*, unavailable)
extension PullConflation.Accepted: Sendable {}
