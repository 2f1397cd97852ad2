extension LifetimeTracker {
  /// Who holds an object, as far as the objects known to this tracker tell: what follows "retained
  /// by" in a message.
  ///
  /// - Returns: nil if none of them does.
  package func explanation(of object: AnyObject) -> String? {
    nil
  }
}
