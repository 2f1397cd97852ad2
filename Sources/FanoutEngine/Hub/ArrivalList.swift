// Unsafe casts: invariant: `places` holds only members, which `append(_:)` puts there.

/// A member of an ``ArrivalList``, at most one at a time.
@usableFromInline
package protocol ArrivalListMember: AnyObject {
  /// The index of this object in its list, or -1 if it is in none. Only the list sets it.
  var arrivalIndex: Int { get set }
}

/// Objects in the order of their arrival, of which any one leaves in constant time, amortised.
///
/// Its methods are inlined where the type of its members is known, and its places have none: so
/// nothing is looked up.
@usableFromInline
package struct ArrivalList<Member: ArrivalListMember> {
  /// The members, and nil where one has left.
  @usableFromInline var places: [AnyObject?] = []
  var vacant = 0
  /// The place of the first member, or one in front of it.
  var first = 0

  package init() {}

  @inline(__always) package var count: Int { places.count &- vacant }

  @inline(__always) package var isEmpty: Bool { count == 0 }

  /// The number of places, which is never less than that of members.
  @inlinable @inline(__always) var placeCount: Int { places.count }

  /// Returns the member at a place, or nil if it has left.
  @inlinable
  @inline(__always)
  func member(at place: Int) -> Member? {
    guard let object = places[place] else { return nil }
    return Unmanaged<Member>.fromOpaque(Unmanaged.passUnretained(object).toOpaque())
      .takeUnretainedValue()
  }

  /// Calls a closure with each member.
  @inline(__always)
  func forEach(_ body: (Member) -> Void) {
    for place in 0..<placeCount {
      if let member = member(at: place) { body(member) }
    }
  }

  /// The members in an array.
  package var members: [Member] {
    var members: [Member] = []
    forEach { members.append($0) }
    return members
  }

  /// Adds a member at the end.
  @inline(__always)
  package mutating func append(_ member: Member) {
    member.arrivalIndex = places.count
    places.append(member)
  }

  /// Takes a member out, if it is in the list; the caller retains it, so no user code runs here.
  @inline(__always)
  package mutating func remove(_ member: Member) {
    guard member.arrivalIndex >= 0 else { return }
    places[member.arrivalIndex] = nil
    member.arrivalIndex = -1
    vacant &+= 1
    guard vacant > places.count / 2 else { return }
    // As many have left as are moved, at least. A copy, so that a crowd that has left keeps no
    // storage.
    places = places.filter { $0 != nil }
    for place in 0..<places.count { self.member(at: place)?.arrivalIndex = place }
    vacant = 0
    first = 0
  }

  /// Takes the first member out, and returns it.
  @inline(__always)
  package mutating func removeFirst() -> Member? {
    while first < places.count {
      if let member = member(at: first) {
        remove(member)
        return member
      }
      first &+= 1
    }
    return nil
  }
}
