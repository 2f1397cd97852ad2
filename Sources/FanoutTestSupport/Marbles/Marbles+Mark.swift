extension Marbles {
  /// One thing that happens.
  public struct Mark: Hashable, Sendable, CustomStringConvertible {
    /// In which tick it happens, zero or more.
    public let tick: Int

    /// What happens.
    public let sign: Sign

    /// Its character and when it happens.
    public var description: String { "\(sign) at \(tick)" }
  }
}
