#if canImport(Combine) || canImport(OpenCombine)
  public import FanoutCore

  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  /// A publisher of Fanout's as one of Combine's.
  ///
  /// - Demand, completion, failure: passed on unchanged.
  /// - Cancel: cancels the upstream, on the cancelling thread.
  /// - Concurrency: as the upstream. Its calls never overlap and never nest (rule D1), which is
  ///   more than Combine promises.
  /// - Ownership: as the upstream: its subscription releases the subscriber at the cancel and at
  ///   the completion.
  public struct ToCombine<Upstream: FanoutCore.Publisher>: CombinePublisher {
    /// The upstream's output.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// Creates a publisher of Combine's.
    ///
    /// - Parameter upstream: The publisher of Fanout's.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches the specified subscriber to the upstream.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    public func receive<S: CombineSubscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Receiver(downstream: subscriber))
    }

    /// A subscriber of Combine's as one of Fanout's.
    private final class Receiver<Downstream: CombineSubscriber>: FanoutCore.Subscriber {
      typealias Input = Downstream.Input
      typealias Failure = Downstream.Failure

      private let downstream: Downstream

      init(downstream: Downstream) { self.downstream = downstream }

      func receive(subscription: any FanoutCore.Subscription) {
        downstream.receive(subscription: Link(base: subscription))
      }

      func receive(_ input: Input) -> FanoutCore.Subscribers.Demand {
        downstream.receive(input).fanout
      }

      func receive(completion: FanoutCore.Subscribers.Completion<Failure>) {
        downstream.receive(completion: completion.combine)
      }
    }

    /// A subscription of Fanout's as one of Combine's.
    private final class Link: CombineSubscription, CustomStringConvertible {
      private let base: any FanoutCore.Subscription

      init(base: any FanoutCore.Subscription) { self.base = base }

      func request(_ demand: CombineSubscribers.Demand) { base.request(demand.fanout) }

      func cancel() { base.cancel() }

      var description: String { String(describing: base) }
    }
  }

  extension ToCombine: Sendable where Upstream: Sendable {}

  extension FanoutCore.Publisher {
    /// This publisher as one of Combine's.
    public var combine: ToCombine<Self> { ToCombine(upstream: self) }
  }
#endif
