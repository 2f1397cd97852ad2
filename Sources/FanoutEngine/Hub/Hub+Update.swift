/// The newest accepted value, and the number of values accepted with it.
package struct NewestValue<Element> {
  package let element: Element
  let count: Int
}

extension Hub {
  /// The newest accepted value with its number; nil unless the hub was made with a value.
  package var newestValue: NewestValue<Element>? {
    withInbox { inbox in
      inbox.newest.map { NewestValue(element: $0, count: inbox.acceptedCount) }
    }
  }

  /// Sends a value, unless another one was accepted since `known`; returns whether none was.
  ///
  /// After an end it returns true, and the value is ignored.
  package func send(_ element: Element, inPlaceOf known: NewestValue<Element>) -> Bool {
    let acceptance: Acceptance?
    do {
      // What is displaced is released outside the lock, and before the next value is delivered.
      var displaced: Element? = element
      acceptance = withInbox { inbox in
        guard inbox.acceptedCount == known.count else { return nil }
        return accept(element, &displaced, from: 0, &inbox)
      }
    }
    guard let acceptance else { return false }
    proceed(with: element, from: 0, acceptance)
    return true
  }
}
