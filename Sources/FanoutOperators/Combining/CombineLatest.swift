public import FanoutCore
internal import FanoutEngine

extension Publishers {
  /// A publisher of the newest values of two publishers.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    /// The values of both publishers.
    public typealias Output = (A.Output, B.Output)
    /// The failure of any of the publishers.
    public typealias Failure = A.Failure

    /// The publisher that is subscribed to first.
    public let a: A
    /// The publisher that is subscribed to second.
    public let b: B

    /// Creates a publisher of the newest values of two publishers.
    ///
    /// - Parameters:
    ///   - a: The publisher that is subscribed to first.
    ///   - b: The publisher that is subscribed to second.
    public init(_ a: A, _ b: B) {
      (self.a, self.b) = (a, b)
    }

    /// Attaches the specified subscriber, which receives its subscription before the publishers are
    /// subscribed to.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let aValues = LatestValue<A.Output>()
      let bValues = LatestValue<B.Output>()
      let combination = Combination<Output>(
        next: { hasNew in
          guard hasNew, let a = aValues.latest, let b = bValues.latest else { return nil }
          hasNew = false
          return (a, b)
        },
        isReady: { aValues.latest != nil && bValues.latest != nil },
        isComplete: { aValues.hasFinished && bValues.hasFinished })
      let combined = CombinedSubscription(
        downstream: subscriber, name: "CombineLatest", sources: [aValues, bValues], combination)
      combined.begin()
      combined.join(a, as: aValues)
      combined.join(b, as: bValues)
    }
  }

  /// A publisher of the newest values of three publishers.
  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    /// The values of all publishers.
    public typealias Output = (A.Output, B.Output, C.Output)
    /// The failure of any of the publishers.
    public typealias Failure = A.Failure

    /// The publisher that is subscribed to first.
    public let a: A
    /// The publisher that is subscribed to second.
    public let b: B
    /// The publisher that is subscribed to third.
    public let c: C

    /// Creates a publisher of the newest values of three publishers.
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
      let aValues = LatestValue<A.Output>()
      let bValues = LatestValue<B.Output>()
      let cValues = LatestValue<C.Output>()
      let combination = Combination<Output>(
        next: { hasNew in
          guard hasNew, let a = aValues.latest, let b = bValues.latest, let c = cValues.latest
          else { return nil }
          hasNew = false
          return (a, b, c)
        },
        isReady: { aValues.latest != nil && bValues.latest != nil && cValues.latest != nil },
        isComplete: { aValues.hasFinished && bValues.hasFinished && cValues.hasFinished })
      let combined = CombinedSubscription(
        downstream: subscriber, name: "CombineLatest3", sources: [aValues, bValues, cValues],
        combination)
      combined.begin()
      combined.join(a, as: aValues)
      combined.join(b, as: bValues)
      combined.join(c, as: cValues)
    }
  }

  /// A publisher of the newest values of four publishers.
  public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    /// The values of all publishers.
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)
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

    /// Creates a publisher of the newest values of four publishers.
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
      let aValues = LatestValue<A.Output>()
      let bValues = LatestValue<B.Output>()
      let cValues = LatestValue<C.Output>()
      let dValues = LatestValue<D.Output>()
      let combination = Combination<Output>(
        next: { hasNew in
          guard hasNew, let a = aValues.latest, let b = bValues.latest, let c = cValues.latest,
            let d = dValues.latest
          else { return nil }
          hasNew = false
          return (a, b, c, d)
        },
        isReady: {
          aValues.latest != nil && bValues.latest != nil && cValues.latest != nil
            && dValues.latest != nil
        },
        isComplete: {
          aValues.hasFinished && bValues.hasFinished && cValues.hasFinished && dValues.hasFinished
        })
      let combined = CombinedSubscription(
        downstream: subscriber, name: "CombineLatest4",
        sources: [aValues, bValues, cValues, dValues], combination)
      combined.begin()
      combined.join(a, as: aValues)
      combined.join(b, as: bValues)
      combined.join(c, as: cValues)
      combined.join(d, as: dValues)
    }
  }
}

extension Publishers.CombineLatest: Sendable where A: Sendable, B: Sendable {}
extension Publishers.CombineLatest: Equatable where A: Equatable, B: Equatable {}
extension Publishers.CombineLatest3: Sendable where A: Sendable, B: Sendable, C: Sendable {}
extension Publishers.CombineLatest3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.CombineLatest4: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}
extension Publishers.CombineLatest4: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
