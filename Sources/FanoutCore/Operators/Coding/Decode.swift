extension Publishers {
  /// A publisher that decodes each value of its upstream.
  @frozen
  public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: Publisher,
    ErrorFailure
  where Upstream.Output == Coder.Input {
    /// The upstream publisher.
    public let upstream: Upstream
    @usableFromInline let decoder: Coder

    /// Creates a publisher that decodes each value of `upstream` with `decoder`.
    public init(upstream: Upstream, decoder: Coder) {
      self.upstream = upstream
      self.decoder = decoder
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == any Error {
      let decode: (Upstream.Output) throws -> Output = { [decoder] in
        try decoder.decode(Output.self, from: $0)
      }
      let step = CallingStep<Self, Upstream.Output, Throwing<Upstream.Failure>>()
      upstream.receive(
        subscriber: StepSubscription(step, decode, name: "Decode", downstream: subscriber))
    }
  }
}

extension Publishers.Decode: Sendable where Upstream: Sendable, Coder: Sendable {}

extension Publisher {
  /// Decodes each value, and fails with the first error that the decoder throws.
  ///
  /// ![Each text is decoded as a number; x is none, so the subscriber fails and the upstream is cancelled.](decode)
  ///
  /// With `FanoutFoundation`, `JSONDecoder` and `PropertyListDecoder` are such decoders.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - decoder: The decoder, called once for each value and subscriber on the delivering thread.
  ///     When it throws, the upstream is cancelled and nothing follows the failure.
  /// - Returns: A publisher of the decoded values. Demand, completion and cancel pass through, and
  ///   so does the upstream's failure, as `any Error`.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutFoundation
  /// import Foundation
  ///
  /// struct Song: Decodable { let title: String }
  /// let answer = Just(Data(#"{ "title": "So What" }"#.utf8))
  /// let printed = answer.decode(type: Song.self, decoder: JSONDecoder()).sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0.title) })
  /// printed.cancel()
  /// // Prints:
  /// // So What
  /// // finished
  /// ```
  @preconcurrency
  public func decode<Item: Decodable & SendableMetatype, Coder: TopLevelDecoder & Sendable>(
    type: Item.Type, decoder: Coder
  ) -> Publishers.Decode<Self, Item, Coder> where Output == Coder.Input {
    Publishers.Decode(upstream: self, decoder: decoder)
  }
}
