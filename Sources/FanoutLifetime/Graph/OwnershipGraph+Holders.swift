extension OwnershipGraph {
  /// Returns the chains of holders that keep an object alive, as far as this graph goes.
  ///
  /// - Parameter object: The object, which must have been kept alive since the graph was made: the
  ///   graph identifies it by its address.
  /// - Returns: A text for each reference to the object, the most telling one first. A text names
  ///   the reference, then the holder of its owner, and so on. It ends at an object with a name of
  ///   the user's, at the object itself if the chain is a cycle, or at an object that nothing in
  ///   the graph holds. The events that end the first reference follow.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutLifetime
  ///
  /// final class Screen: Sendable {
  ///   func show(_ text: String) {}
  /// }
  ///
  /// let titles = PassthroughSubject<String, Never>()
  /// let screen = Screen()
  /// let showing = titles.labeled("titles").sink(receiveValue: screen.show)
  /// for text in OwnershipGraph(of: titles).holders(of: screen) { print(text) }
  /// showing.cancel()
  /// // Prints:
  /// // Sink.receiveValue ← Subscription ← PassthroughSubject 'titles' (until cancel or completion)
  /// ```
  ///
  /// - Cost: grows with the number of objects in the graph.
  public func holders(of object: AnyObject) -> [String] { HolderIndex(self).holders(of: object) }

  /// Returns the chains of holders that keep an object alive, among objects that are alive.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - roots: The objects that may hold it.
  ///   - names: The names of objects.
  /// - Returns: The texts, as of ``holders(of:)``.
  package static func holders(
    of object: AnyObject, among roots: [AnyObject], names: [ObjectIdentifier: String] = [:]
  ) -> [String] {
    OwnershipGraph(roots: roots, names: names).holders(of: object)
  }
}
