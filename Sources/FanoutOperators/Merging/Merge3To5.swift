public import FanoutCore
internal import FanoutEngine

extension Publishers {
  /// A publisher of the values of three publishers, as they arrive.
  public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure {
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

    /// Creates a publisher of the values of three publishers.
    ///
    /// - Parameters:
    ///   - a: The publisher that is subscribed to first.
    ///   - b: The publisher that is subscribed to second.
    ///   - c: The publisher that is subscribed to third.
    public init(_ a: A, _ b: B, _ c: C) {
      (self.a, self.b, self.c) = (a, b, c)
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
      merging.noMoreCome()
    }
  }

  /// A publisher of the values of four publishers, as they arrive.
  public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure
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

    /// Creates a publisher of the values of four publishers.
    ///
    /// - Parameters:
    ///   - a: The publisher that is subscribed to first.
    ///   - b: The publisher that is subscribed to second.
    ///   - c: The publisher that is subscribed to third.
    ///   - d: The publisher that is subscribed to fourth.
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      (self.a, self.b, self.c, self.d) = (a, b, c, d)
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
      merging.noMoreCome()
    }
  }

  /// A publisher of the values of five publishers, as they arrive.
  public struct Merge5<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher>:
    Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure, D.Output == E.Output, D.Failure == E.Failure
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

    /// Creates a publisher of the values of five publishers.
    ///
    /// - Parameters:
    ///   - a: The publisher that is subscribed to first.
    ///   - b: The publisher that is subscribed to second.
    ///   - c: The publisher that is subscribed to third.
    ///   - d: The publisher that is subscribed to fourth.
    ///   - e: The publisher that is subscribed to fifth.
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
      (self.a, self.b, self.c, self.d, self.e) = (a, b, c, d, e)
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
      merging.noMoreCome()
    }
  }
}

extension Publishers.Merge3: Sendable
where A: Sendable, B: Sendable, C: Sendable {}
extension Publishers.Merge3: Equatable
where A: Equatable, B: Equatable, C: Equatable {}

extension Publishers.Merge4: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}
extension Publishers.Merge4: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

extension Publishers.Merge5: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable {}
extension Publishers.Merge5: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable {}
