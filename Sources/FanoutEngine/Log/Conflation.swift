/// A rule by which of the values that wait one stays for each key.
public struct Conflation<Element> {
  /// The closure that makes an index of the values that wait.
  package let makeIndex: () -> ConflationIndex<Element>
  /// The closure that makes one value of an older and a newer one of the same key; nil if the newer
  /// one stays.
  package let merge: ((_ old: Element, _ new: Element) -> Element)?

  /// Creates a rule.
  public init(
    makeIndex: @escaping () -> ConflationIndex<Element>,
    merge: ((_ old: Element, _ new: Element) -> Element)? = nil
  ) {
    self.makeIndex = makeIndex
    self.merge = merge
  }
}

/// The places of the values that wait, by their keys, as the operations that a hub needs.
///
/// The closures are formed where the type of the key is known.
@frozen
public struct ConflationIndex<Element> {
  /// Returns the place of the value with the key of an element if it is `first` or later, or else
  /// records `place`.
  let find: (_ element: Element, _ place: Int, _ first: Int) -> Int
  package let copy: () -> Any

  /// Creates an index from its operations, and one that copies it for diagnosis.
  public init(
    find: @escaping (_ element: Element, _ place: Int, _ first: Int) -> Int,
    copy: @escaping () -> Any
  ) {
    self.find = find
    self.copy = copy
  }
}

/// The state of a backlog whose values are conflated.
package struct ConflationState<Element> {
  package let index: ConflationIndex<Element>
  let merge: ((_ old: Element, _ new: Element) -> Element)?
  /// Whether one value waits for each key: from the moment when there was no room for one more
  /// until all are taken.
  var isActive = false
  /// The place behind the last value that is in the index.
  var indexedEnd = 0

  init(_ rule: Conflation<Element>) {
    index = rule.makeIndex()
    merge = rule.merge
  }

  /// Begins with no value in the index; the first value that waits has a place.
  mutating func begin(at place: Int) {
    isActive = true
    indexedEnd = place
  }

  /// Puts a value behind those of a queue, or in the place of one of them.
  ///
  /// - Parameters:
  ///   - element: The value.
  ///   - queue: The queue.
  ///   - first: The first place whose value may make way.
  /// - Returns: The value that has made way, or nil if none has.
  func put(_ element: Element, into queue: ValueQueue<Element>, from first: Int) -> Element? {
    let end = queue.log.end
    let place = index.find(element, end, first)
    guard place < end else {
      queue.append(element)
      return nil
    }
    guard let merge else { return queue.log.exchange(element, at: place) }
    return queue.log.exchange(merge(queue.log.value(at: place), element), at: place)
  }
}

@available(*, unavailable)
extension Conflation: Sendable {}

@available(*, unavailable)
extension ConflationIndex: Sendable {}
