/// A member of an ``ArrivalList``, at most one at a time.
@usableFromInline
package protocol ArrivalListMember: AnyObject {
  /// The index of this object in its list, or -1 if it is in none. Only the list sets it.
  var arrivalIndex: Int { get set }
}

/// Objects in the order of their arrival, of which any one leaves in constant time, amortised.
@usableFromInline
package struct ArrivalList<Member: ArrivalListMember> {
  /// The members, and nil where one has left.
  @usableFromInline var places: [Member?] = []
  var vacant = 0
  /// The place of the first member, or one in front of it.
  var first = 0

  package init() {}

  package var count: Int { places.count &- vacant }

  package var isEmpty: Bool { count == 0 }

  /// The members, without a copy of the list.
  package var members: some Sequence<Member> { places.lazy.compactMap { $0 } }

  /// Adds a member at the end.
  package mutating func append(_ member: Member) {
    member.arrivalIndex = places.count
    places.append(member)
  }

  /// Takes a member out, if it is in the list.
  ///
  /// The caller retains it, so no user code runs here.
  package mutating func remove(_ member: Member) {
    guard member.arrivalIndex >= 0 else { return }
    places[member.arrivalIndex] = nil
    member.arrivalIndex = -1
    vacant &+= 1
    if vacant > places.count / 2 { closeGaps() }
  }

  /// Takes the first member out, and returns it.
  package mutating func removeFirst() -> Member? {
    while first < places.count {
      if let member = places[first] {
        remove(member)
        return member
      }
      first &+= 1
    }
    return nil
  }

  /// Moves the members together; each time, at least as many have left as are moved.
  mutating func closeGaps() {
    places = places.filter { $0 != nil }
    vacant = 0
    first = 0
    for (index, member) in places.enumerated() { member?.arrivalIndex = index }
  }
}

@available(*, unavailable)
extension ArrivalList: Sendable {}
