internal import FanoutEngine

extension Publishers.Share {
  /// The values as an `AsyncSequence` that loses nothing between two values: a loop is a subscriber
  /// with its own place in the shared log.
  ///
  /// - Parameter buffering: What becomes of values that the loop does not take in time.
  /// - Returns: A sequence; each loop over it subscribes when it begins and leaves when it ends.
  public func elements(
    buffering: Publishers.ElementBuffering = .unbounded
  ) -> Publishers.Elements<Publishers.Share<Upstream>> {
    Publishers.Elements(source: self, buffering: buffering) { share, limit in
      share.inner.makeCursor(limit: limit, parent: share)
    }
  }
}

extension Publishers.Autoconnect {
  /// The values as an `AsyncSequence` that loses nothing between two values.
  ///
  /// - Parameter buffering: What becomes of values that the loop does not take in time.
  /// - Returns: A sequence; each loop over it subscribes when it begins and leaves when it ends.
  public func elements<Source: Publisher>(
    buffering: Publishers.ElementBuffering = .unbounded
  ) -> Publishers.Elements<Publishers.Autoconnect<Upstream>>
  where Upstream == Publishers.Multicast<Source, ReplaySubject<Source.Output, Source.Failure>> {
    Publishers.Elements(source: self, buffering: buffering) { autoconnect, limit in
      autoconnect.makeCursor(limit: limit, parent: autoconnect)
    }
  }

  func makeCursor<Source: Publisher>(
    limit: Int, parent: AnyObject
  ) -> ElementCursor<Source.Output, Source.Failure>
  where Upstream == Publishers.Multicast<Source, ReplaySubject<Source.Output, Source.Failure>> {
    let counter = self.counter
    let connection = counter.enter()
    let cursor = upstream.subject.makeCursor(
      limit: limit, owner: parent, whenLeft: { counter.leave(atEnd: $0) })
    if let connection { counter.start(connection) }
    return cursor
  }
}

extension Publishers.Multicast {
  /// The values as an `AsyncSequence` that loses nothing between two values.
  ///
  /// - Parameter buffering: What becomes of values that the loop does not take in time.
  /// - Returns: A sequence; each loop over it subscribes when it begins and leaves when it ends.
  public func elements(
    buffering: Publishers.ElementBuffering = .unbounded
  ) -> Publishers.Elements<Publishers.Multicast<Upstream, SubjectType>>
  where SubjectType == ReplaySubject<Upstream.Output, Upstream.Failure> {
    Publishers.Elements(source: self, buffering: buffering) { multicast, limit in
      multicast.subject.makeCursor(limit: limit, owner: multicast)
    }
  }
}

extension ReplaySubject {
  /// The values as an `AsyncSequence` that loses nothing between two values.
  ///
  /// - Parameter buffering: What becomes of values that the loop does not take in time.
  /// - Returns: A sequence; each loop over it subscribes when it begins and leaves when it ends.
  public func elements(
    buffering: Publishers.ElementBuffering = .unbounded
  ) -> Publishers.Elements<ReplaySubject<Output, Failure>> {
    Publishers.Elements(source: self, buffering: buffering) { subject, limit in
      subject.makeCursor(limit: limit, owner: subject)
    }
  }

  func makeCursor(
    limit: Int, owner: AnyObject, whenLeft: ((_ atEnd: Bool) -> Void)? = nil
  ) -> ElementCursor<Output, Failure> {
    let cursor = PullCursor(hub: hub, owner: owner, limit: limit, whenLeft: whenLeft)
    hub.join(cursor)
    return ElementCursor(cursor)
  }
}
