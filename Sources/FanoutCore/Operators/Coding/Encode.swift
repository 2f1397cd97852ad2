extension Publishers {
  /// A publisher that encodes each value of its upstream.
  @frozen
  public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: Publisher, ErrorFailure
  where Upstream.Output: Encodable {
    /// The encoder's output.
    public typealias Output = Coder.Output

    /// The upstream publisher.
    public let upstream: Upstream
    @usableFromInline let encoder: Coder

    /// Creates a publisher that encodes each value of `upstream` with `encoder`.
    public init(upstream: Upstream, encoder: Coder) {
      self.upstream = upstream
      self.encoder = encoder
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == any Error {
      let encode: (Upstream.Output) throws -> Output = { [encoder] in try encoder.encode($0) }
      let step = CallingStep<Self, Upstream.Output, Throwing<Upstream.Failure>>()
      upstream.receive(
        subscriber: StepSubscription(step, encode, name: "Encode", downstream: subscriber))
    }
  }
}

extension Publishers.Encode: Sendable where Upstream: Sendable, Coder: Sendable {}

extension Publisher where Output: Encodable {
  /// Encodes each value, and fails with the first error that the encoder throws.
  ///
  /// ![Each number is encoded as a text.](encode)
  ///
  /// With `FanoutFoundation`, `JSONEncoder` and `PropertyListEncoder` are such encoders.
  ///
  /// - Parameter encoder: The encoder, called once for each value and subscriber on the delivering
  ///   thread. When it throws, the upstream is cancelled and nothing follows the failure.
  /// - Returns: A publisher of the encoded values. Demand, completion and cancel pass through, and
  ///   so does the upstream's failure, as `any Error`.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutFoundation
  /// import Foundation
  ///
  /// struct Song: Encodable { let title: String }
  /// let encoded = Just(Song(title: "So What")).encode(encoder: JSONEncoder())
  /// let printed = encoded.sink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { print(String(decoding: $0, as: UTF8.self)) })
  /// printed.cancel()
  /// // Prints:
  /// // {"title":"So What"}
  /// // finished
  /// ```
  @preconcurrency
  public func encode<Coder: TopLevelEncoder & Sendable>(
    encoder: Coder
  ) -> Publishers.Encode<Self, Coder> where Output: SendableMetatype {
    Publishers.Encode(upstream: self, encoder: encoder)
  }
}
