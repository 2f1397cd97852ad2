extension Marbles {
  /// One thing that happens.
  public struct Mark: Hashable, Sendable {
    /// In which tick it happens, zero or more.
    public let tick: Int

    /// What happens.
    public let sign: Sign
  }
}
