extension LifetimeTracker {
  /// Who holds an object, as far as the objects known to this tracker tell: what follows "retained
  /// by" in a message.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - limit: How many holders to name.
  /// - Returns: nil if none of them does.
  package func explanation(of object: AnyObject, atMost limit: Int = 3) -> String? {
    let tracked = namedObjects.compactMap { entry in
      entry.reference.object.map { (object: $0, name: entry.name) }
    }
    let names = Dictionary(
      tracked.map { (ObjectIdentifier($0.object), $0.name) }, uniquingKeysWith: { $1 })
    let roots = creationReferences.compactMap(\.object) + tracked.map(\.object)
    let holders = OwnershipGraph.holders(of: object, among: roots, names: names)
    return holders.isEmpty ? nil : holders.prefix(limit).joined(separator: "; and by ")
  }
}
