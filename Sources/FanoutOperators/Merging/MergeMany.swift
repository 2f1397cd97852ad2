public import FanoutCore

extension Publishers {
  /// A publisher of the values of any number of publishers of one type, as they arrive.
  ///
  /// It finishes when all publishers have finished; without any publisher, at once. See
  /// ``Publisher/merge(with:)-(P)``.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let sensors = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
  /// let printed = Publishers.MergeMany(sensors).sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// for number in 1...2 {
  ///   sensors[0].send(number)
  ///   sensors[1].send(number * 10)
  /// }
  /// for sensor in sensors { sensor.send(completion: .finished) }
  /// printed.cancel()
  /// // Prints:
  /// // 1
  /// // 10
  /// // 2
  /// // 20
  /// // finished
  /// ```
  public struct MergeMany<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The publishers, in the order in which they are subscribed to.
    public let publishers: [Upstream]

    /// Creates a publisher of the values of the specified publishers.
    ///
    /// - Parameter upstream: The publishers to merge.
    public init(_ upstream: Upstream...) { publishers = upstream }

    /// Creates a publisher of the values of all publishers in a sequence.
    ///
    /// - Parameter upstream: The publishers to merge. The sequence is iterated once, by this
    ///   initialiser.
    public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream {
      publishers = Array(upstream)
    }

    /// Attaches the specified subscriber, which receives its subscription before the publishers are
    /// subscribed to.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let merging = ErasedSubscriber(subscriber).beginMerging(name: "MergeMany")
      for publisher in publishers { merging.join(publisher) }
      merging.noMoreCome()
    }

    /// Adds one more publisher.
    ///
    /// - Parameter other: The publisher to add, which is subscribed to last.
    /// - Returns: A publisher of the values of all.
    public func merge(with other: Upstream) -> Publishers.MergeMany<Upstream> {
      Publishers.MergeMany(publishers + [other])
    }
  }
}

extension Publishers.MergeMany: Sendable where Upstream: Sendable {}
extension Publishers.MergeMany: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Combines the values of this and another publisher of the same type, as they arrive.
  ///
  /// ![Every value of both arrives as it comes. The subscriber finishes when both have.](merge)
  ///
  /// It works as ``merge(with:)-(P)``.
  ///
  /// - Parameter other: The other publisher, which is subscribed to second.
  /// - Returns: A publisher of the values of both.
  public func merge(with other: Self) -> Publishers.MergeMany<Self> {
    Publishers.MergeMany([self, other])
  }
}
