/// The headers that wait for a receiver, and the ones among them that its account counts.
///
/// A receiver that joins and waits for a start gets headers from before it joined. It has no claim on those, so that it
/// misses nothing if newer ones take their place before it has got them.
@usableFromInline
struct HeaderAccount {
  /// The headers among the receiver's own values: their indices there, and their positions.
  @usableFromInline var own: [(index: Int, position: Int)] = []
  /// The position of the first value behind the receiver's place when it joined.
  @usableFromInline var joinedAt = Int.min
  /// The position from which on headers count.
  @usableFromInline var countedFrom = Int.min
  /// The places in the log of copies that do not count.
  @usableFromInline var uncountedPlaces = 0..<0
  /// The positions that these have there.
  @usableFromInline var uncountedPositions = 0..<0

  @inlinable
  init() {}

  /// Whether the header at a position counts.
  @inlinable
  func counts(_ position: Int) -> Bool {
    position >= countedFrom && !uncountedPositions.contains(position)
  }

  /// Returns whether the header at a position is from before the receiver joined.
  @inlinable
  func isReplay(_ position: Int) -> Bool {
    position < joinedAt || uncountedPositions.contains(position)
  }

  /// Returns how many of the headers at some positions count.
  @inlinable
  func count(of positions: [Int]) -> Int { positions.count { counts($0) } }

  /// Adds headers that become the last ones of the receiver's own values, which have the indices `own`.
  @inlinable
  mutating func add(_ positions: [Int], to own: Range<Int>) {
    self.own.removeAll { $0.index < own.lowerBound }
    for (offset, position) in positions.enumerated() {
      self.own.append((own.upperBound &+ offset, position))
    }
  }

  /// Returns the position of the first header from an index of the receiver's own values on.
  @inlinable
  func firstPosition(from index: Int) -> Int? { own.first { $0.index >= index }?.position }

  /// Notes that the receiver gets copies in the log, which lie from a place on and have positions from `position` on
  /// there, of headers that had other positions before.
  @inlinable
  mutating func addCopies(of positions: [Int], at place: Int, from position: Int) {
    // The oldest come first.
    let uncounted = positions.count &- count(of: positions)
    guard uncounted > 0 else { return }
    uncountedPlaces = place..<place &+ uncounted
    uncountedPositions = position..<position &+ uncounted
  }

  /// Returns how many headers wait that do not count: in the receiver's own values from an index on, and in the log
  /// from a place on.
  @inlinable
  func uncountedWaiting(from index: Int, place: Int?) -> Int {
    let waiting = own.count { $0.index >= index && !counts($0.position) }
    guard let place, place < uncountedPlaces.upperBound else { return waiting }
    return waiting &+ uncountedPlaces.upperBound &- max(place, uncountedPlaces.lowerBound)
  }
}

@available(*, unavailable)
extension HeaderAccount: Sendable {}
