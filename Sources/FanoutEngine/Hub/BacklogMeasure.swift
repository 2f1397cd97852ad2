// Invariant: the measures belong to one backlog, and are reached as its other properties are.

/// The measures that decide about the values that wait for a receiver, beside their number.
package final class BacklogMeasure<Element, End> {
  /// The measures of the values that count; none while they are conflated.
  @exclusivity(unchecked) package var meter: ValueMeter<Element>
  @exclusivity(unchecked) package var conflation: ConflationState<Element>?
  /// The time for which the upstream waits for the receiver, if that ends.
  package let patience: BacklogPatience<Element, End>?
  /// The number of values that have come to wait since the policy was applied last.
  @exclusivity(unchecked) var arrived = 0
  /// Whether the receiver has taken a value that counts since the policy was applied last.
  @exclusivity(unchecked) var hasTaken = false

  init(_ policy: BacklogPolicy<Element, End>) {
    meter = ValueMeter(policy.limits)
    if let rule = policy.conflation { conflation = ConflationState(rule) }
    patience = policy.patience.map { BacklogPatience($0) }
    noteCreation(of: self, isPart: true)
  }

  /// Notes a value that has come to wait, and measures it unless its cost is known.
  func noteArrival(of element: Element, costing cost: Int? = nil) {
    arrived &+= 1
    guard conflation?.isActive != true else { return }
    if let cost { meter.append((cost, 0)) } else { meter.append(element) }
  }
}
