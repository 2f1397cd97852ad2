public import FanoutCore
internal import FanoutEngine

extension Publishers {
  /// A publisher of the values of six publishers, as they arrive.
  public struct Merge6<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher
  >: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure, D.Output == E.Output, D.Failure == E.Failure,
    E.Output == F.Output, E.Failure == F.Failure
  {
    /// The output of all publishers.
    public typealias Output = A.Output
    /// The failure of any of the publishers.
    public typealias Failure = A.Failure

    /// The publisher that is subscribed to first.
    public let a: A
    /// The publisher that is subscribed to second.
    public let b: B
    /// The publisher that is subscribed to third.
    public let c: C
    /// The publisher that is subscribed to fourth.
    public let d: D
    /// The publisher that is subscribed to fifth.
    public let e: E
    /// The publisher that is subscribed to sixth.
    public let f: F

    /// Creates a publisher of the values of six publishers.
    ///
    /// - Parameters:
    ///   - a: The publisher that is subscribed to first.
    ///   - b: The publisher that is subscribed to second.
    ///   - c: The publisher that is subscribed to third.
    ///   - d: The publisher that is subscribed to fourth.
    ///   - e: The publisher that is subscribed to fifth.
    ///   - f: The publisher that is subscribed to sixth.
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
      (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
    }

    /// Attaches the specified subscriber, which receives its subscription before the publishers are
    /// subscribed to.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let merging = Merging(downstream: subscriber, name: "Merge")
      merging.begin()
      merging.join(a)
      merging.join(b)
      merging.join(c)
      merging.join(d)
      merging.join(e)
      merging.join(f)
      merging.noMoreCome()
    }
  }

  /// A publisher of the values of seven publishers, as they arrive.
  public struct Merge7<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher
  >: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure, D.Output == E.Output, D.Failure == E.Failure,
    E.Output == F.Output, E.Failure == F.Failure, F.Output == G.Output, F.Failure == G.Failure
  {
    /// The output of all publishers.
    public typealias Output = A.Output
    /// The failure of any of the publishers.
    public typealias Failure = A.Failure

    /// The publisher that is subscribed to first.
    public let a: A
    /// The publisher that is subscribed to second.
    public let b: B
    /// The publisher that is subscribed to third.
    public let c: C
    /// The publisher that is subscribed to fourth.
    public let d: D
    /// The publisher that is subscribed to fifth.
    public let e: E
    /// The publisher that is subscribed to sixth.
    public let f: F
    /// The publisher that is subscribed to seventh.
    public let g: G

    /// Creates a publisher of the values of seven publishers.
    ///
    /// - Parameters:
    ///   - a: The publisher that is subscribed to first.
    ///   - b: The publisher that is subscribed to second.
    ///   - c: The publisher that is subscribed to third.
    ///   - d: The publisher that is subscribed to fourth.
    ///   - e: The publisher that is subscribed to fifth.
    ///   - f: The publisher that is subscribed to sixth.
    ///   - g: The publisher that is subscribed to seventh.
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) {
      (self.a, self.b, self.c, self.d, self.e, self.f, self.g) = (a, b, c, d, e, f, g)
    }

    /// Attaches the specified subscriber, which receives its subscription before the publishers are
    /// subscribed to.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let merging = Merging(downstream: subscriber, name: "Merge")
      merging.begin()
      merging.join(a)
      merging.join(b)
      merging.join(c)
      merging.join(d)
      merging.join(e)
      merging.join(f)
      merging.join(g)
      merging.noMoreCome()
    }
  }

  /// A publisher of the values of eight publishers, as they arrive.
  public struct Merge8<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher,
    G: Publisher, H: Publisher
  >: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure, D.Output == E.Output, D.Failure == E.Failure,
    E.Output == F.Output, E.Failure == F.Failure, F.Output == G.Output, F.Failure == G.Failure,
    G.Output == H.Output, G.Failure == H.Failure
  {
    /// The output of all publishers.
    public typealias Output = A.Output
    /// The failure of any of the publishers.
    public typealias Failure = A.Failure

    /// The publisher that is subscribed to first.
    public let a: A
    /// The publisher that is subscribed to second.
    public let b: B
    /// The publisher that is subscribed to third.
    public let c: C
    /// The publisher that is subscribed to fourth.
    public let d: D
    /// The publisher that is subscribed to fifth.
    public let e: E
    /// The publisher that is subscribed to sixth.
    public let f: F
    /// The publisher that is subscribed to seventh.
    public let g: G
    /// The publisher that is subscribed to eighth.
    public let h: H

    /// Creates a publisher of the values of eight publishers.
    ///
    /// - Parameters:
    ///   - a: The publisher that is subscribed to first.
    ///   - b: The publisher that is subscribed to second.
    ///   - c: The publisher that is subscribed to third.
    ///   - d: The publisher that is subscribed to fourth.
    ///   - e: The publisher that is subscribed to fifth.
    ///   - f: The publisher that is subscribed to sixth.
    ///   - g: The publisher that is subscribed to seventh.
    ///   - h: The publisher that is subscribed to eighth.
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) {
      (self.a, self.b, self.c, self.d, self.e, self.f, self.g, self.h) = (a, b, c, d, e, f, g, h)
    }

    /// Attaches the specified subscriber, which receives its subscription before the publishers are
    /// subscribed to.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let merging = Merging(downstream: subscriber, name: "Merge")
      merging.begin()
      merging.join(a)
      merging.join(b)
      merging.join(c)
      merging.join(d)
      merging.join(e)
      merging.join(f)
      merging.join(g)
      merging.join(h)
      merging.noMoreCome()
    }
  }
}

extension Publishers.Merge6: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable {}
extension Publishers.Merge6: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable {}

extension Publishers.Merge7: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable {}
extension Publishers.Merge7: Equatable
where
  A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable
{}

extension Publishers.Merge8: Sendable
where
  A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable,
  H: Sendable
{}
extension Publishers.Merge8: Equatable
where
  A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable,
  H: Equatable
{}
