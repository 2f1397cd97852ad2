extension Marbles {
  /// One event of a line.
  public struct Mark: Hashable, Sendable, CustomStringConvertible {
    /// The tick in which the event happens, zero or more.
    public let tick: Int

    /// The kind of event.
    public let sign: Sign

    /// The event's character and tick.
    public var description: String { "\(sign) at \(tick)" }
  }
}
