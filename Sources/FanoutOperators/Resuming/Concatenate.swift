public import FanoutCore

extension Publishers {
  /// A publisher of the values of one publisher, and then of another.
  public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
  where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
    /// The output of both publishers.
    public typealias Output = Suffix.Output
    /// The failure of either publisher.
    public typealias Failure = Suffix.Failure

    /// The publisher that is subscribed to first.
    public let prefix: Prefix
    /// The publisher that is subscribed to when the first one has finished.
    public let suffix: Suffix

    /// Creates a publisher of the values of one publisher, and then of another.
    ///
    /// - Parameters:
    ///   - prefix: The publisher that is subscribed to first.
    ///   - suffix: The publisher that is subscribed to when the first one has finished.
    public init(prefix: Prefix, suffix: Suffix) {
      self.prefix = prefix
      self.suffix = suffix
    }

    /// Attaches the specified subscriber to this publisher.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let receiver = makeReceiver(
        ErasedSubscriber(subscriber), suffix
      ) { (suffix, end: Subscribers.Completion<Failure>, recovery, last) in
        if case .failure = end { last = end }
        return recovery.map { recovery in { suffix.receive(subscriber: recovery) } }
      }
      if let receiver { prefix.receive(subscriber: receiver) }
    }
  }
}

extension Publishers.Concatenate: Sendable where Prefix: Sendable, Suffix: Sendable {}
extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}
