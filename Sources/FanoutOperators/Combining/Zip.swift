public import FanoutCore
internal import FanoutEngine

extension Publishers {
  /// A publisher of the values of two publishers, each with its counterpart.
  public struct Zip<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    /// The values of both publishers.
    public typealias Output = (A.Output, B.Output)
    /// The failure of any of the publishers.
    public typealias Failure = A.Failure

    /// The publisher that is subscribed to first.
    public let a: A
    /// The publisher that is subscribed to second.
    public let b: B

    /// Creates a publisher of the values of two publishers, each with its counterpart.
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
      let aValues = ZippedValues<A.Output>()
      let bValues = ZippedValues<B.Output>()
      let combination = Combination<Output>(
        next: { hasNew in
          guard aValues.hasValue && bValues.hasValue else {
            hasNew = false
            return nil
          }
          guard let a = aValues.next(), let b = bValues.next() else {
            return nil
          }
          hasNew = aValues.hasValue && bValues.hasValue
          return (a, b)
        },
        isReady: { aValues.hasValue && bValues.hasValue },
        isComplete: {
          let fewest = Swift.min(aValues.count, bValues.count)
          return aValues.isPaired(ifFewest: fewest) || bValues.isPaired(ifFewest: fewest)
        }, mayEndWithValue: true)
      let combined = CombinedSubscription(
        downstream: subscriber, name: "Zip", sources: [aValues, bValues], combination)
      combined.begin()
      combined.join(a, as: aValues)
      combined.join(b, as: bValues)
    }
  }

  /// A publisher of the values of three publishers, each with its counterparts.
  public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
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

    /// Creates a publisher of the values of three publishers, each with its counterparts.
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
      let aValues = ZippedValues<A.Output>()
      let bValues = ZippedValues<B.Output>()
      let cValues = ZippedValues<C.Output>()
      let combination = Combination<Output>(
        next: { hasNew in
          guard aValues.hasValue && bValues.hasValue && cValues.hasValue else {
            hasNew = false
            return nil
          }
          guard let a = aValues.next(), let b = bValues.next(),
            let c = cValues.next()
          else { return nil }
          hasNew = aValues.hasValue && bValues.hasValue && cValues.hasValue
          return (a, b, c)
        },
        isReady: { aValues.hasValue && bValues.hasValue && cValues.hasValue },
        isComplete: {
          let fewest = Swift.min(aValues.count, bValues.count, cValues.count)
          return aValues.isPaired(ifFewest: fewest) || bValues.isPaired(ifFewest: fewest)
            || cValues.isPaired(ifFewest: fewest)
        }, mayEndWithValue: true)
      let combined = CombinedSubscription(
        downstream: subscriber, name: "Zip3", sources: [aValues, bValues, cValues], combination)
      combined.begin()
      combined.join(a, as: aValues)
      combined.join(b, as: bValues)
      combined.join(c, as: cValues)
    }
  }

  /// A publisher of the values of four publishers, each with its counterparts.
  public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
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

    /// Creates a publisher of the values of four publishers, each with its counterparts.
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
      let aValues = ZippedValues<A.Output>()
      let bValues = ZippedValues<B.Output>()
      let cValues = ZippedValues<C.Output>()
      let dValues = ZippedValues<D.Output>()
      let combination = Combination<Output>(
        next: { hasNew in
          guard aValues.hasValue && bValues.hasValue && cValues.hasValue && dValues.hasValue else {
            hasNew = false
            return nil
          }
          guard let a = aValues.next(), let b = bValues.next(),
            let c = cValues.next(), let d = dValues.next()
          else { return nil }
          hasNew = aValues.hasValue && bValues.hasValue && cValues.hasValue && dValues.hasValue
          return (a, b, c, d)
        },
        isReady: { aValues.hasValue && bValues.hasValue && cValues.hasValue && dValues.hasValue },
        isComplete: {
          let fewest = Swift.min(aValues.count, bValues.count, cValues.count, dValues.count)
          return aValues.isPaired(ifFewest: fewest) || bValues.isPaired(ifFewest: fewest)
            || cValues.isPaired(ifFewest: fewest) || dValues.isPaired(ifFewest: fewest)
        }, mayEndWithValue: true)
      let combined = CombinedSubscription(
        downstream: subscriber, name: "Zip4", sources: [aValues, bValues, cValues, dValues],
        combination)
      combined.begin()
      combined.join(a, as: aValues)
      combined.join(b, as: bValues)
      combined.join(c, as: cValues)
      combined.join(d, as: dValues)
    }
  }
}

extension Publishers.Zip: Sendable where A: Sendable, B: Sendable {}
extension Publishers.Zip: Equatable where A: Equatable, B: Equatable {}
extension Publishers.Zip3: Sendable where A: Sendable, B: Sendable, C: Sendable {}
extension Publishers.Zip3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.Zip4: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}
extension Publishers.Zip4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
