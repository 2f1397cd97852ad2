#if canImport(Combine) || canImport(OpenCombine)
  public import FanoutCore

  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  /// A publisher of Combine's as one of Fanout's.
  ///
  /// - Demand: passed on unchanged. No value is dropped, and none waits for demand.
  /// - Completion, failure: passed on, behind the values that came before.
  /// - Cancel: cancels the upstream, on the cancelling thread, and is final (rule D7).
  /// - Concurrency: Combine lets a value arrive inside the delivery of another one, or during one
  ///   on another thread. Here it waits until that delivery has returned (rules D1, D3, D4), and
  ///   the thread that delivers takes it along.
  /// - Ownership: the subscription retains the upstream's subscription and the subscriber until the
  ///   cancel or the completion (rule O2).
  public struct FromCombine<Upstream: CombinePublisher>: FanoutCore.Publisher {
    /// The upstream's output.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// Creates a publisher of Fanout's.
    ///
    /// - Parameter upstream: The publisher of Combine's.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches the specified subscriber to the upstream.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    public func receive<S: FanoutCore.Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: FromCombineSubscription(downstream: subscriber))
    }
  }

  extension FromCombine: Sendable where Upstream: Sendable {}

  extension CombinePublisher {
    /// This publisher as one of Fanout's.
    public var fanout: FromCombine<Self> { FromCombine(upstream: self) }
  }
#endif
