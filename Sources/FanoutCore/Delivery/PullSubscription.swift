// Invariant: properties marked `@exclusivity(unchecked)` are reached only by the holder of `drain`.

public import FanoutEngine

/// The subscription of a publisher that has its values at hand, and delivers them on request.
@usableFromInline
package final class PullSubscription<Elements: IteratorProtocol, Downstream: Subscriber>:
  DrainedSource,
  Subscription, CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
where Elements.Element == Downstream.Input {
  @usableFromInline
  package final class Body {
    @usableFromInline package let downstream: Downstream
    @exclusivity(unchecked) @usableFromInline package var elements: Elements
    @exclusivity(unchecked) @usableFromInline package var next: Elements.Element?

    @inlinable
    init(downstream: Downstream, elements: Elements) {
      self.downstream = downstream
      self.elements = elements
      next = self.elements.next()
      noteCreation(of: self, isPart: true)
    }
  }

  @usableFromInline package let describe: Lock<(() -> String)?>
  @usableFromInline package let name: StaticString
  @exclusivity(unchecked) @usableFromInline package var body: Body?

  /// Creates a subscription that delivers `elements`.
  ///
  /// Its description is the result of `describe`, and `name` once the elements are released.
  ///
  /// `describe` runs only when the description is read: the text may be long, and must not outlive
  /// the elements.
  @inlinable
  init(
    _ elements: Elements, downstream: Downstream, name: StaticString,
    describe: (() -> String)? = nil
  ) {
    body = Body(downstream: downstream, elements: elements)
    self.describe = Lock(describe)
    self.name = name
    super.init()
  }

  /// Gives the subscriber its subscription, then delivers the requested values.
  @inlinable
  func begin(_ subscriber: Downstream) {
    if let credit = subscriber._fuse(self) {
      pending.add(credit)
    } else {
      subscriber.receive(subscription: self)
    }
    runOut(isLimited: true)
  }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  @inlinable
  package override func runOut(isLimited: Bool) {
    repeat {
      drain.clear([.queued, .attention])
      if isCancelled {
        letGo()
      } else if let ended = deliver() {
        letGo()
        // The `deinit` of a released object may have cancelled.
        if !isCancelled { ended.receive(completion: .finished) }
      }
    } while !drain.tryLeave()
  }

  /// Delivers the requested values; returns the subscriber to complete if those were the last.
  @inlinable
  func deliver() -> Downstream? {
    guard let body else { return nil }
    var credit = pending.take()
    while let element = body.next {
      guard credit != .none else { return nil }
      body.next = body.elements.next()
      // Making an element is user code too, and may have cancelled.
      if isCancelled { return nil }
      credit = credit.afterOne + body.downstream._receiveFused(element).credit
      if isCancelled { return nil }
      if credit == .none { credit = pending.take() }
    }
    return body.downstream
  }

  @usableFromInline
  package func letGo() {
    body = nil
    withExtendedLifetime(describe.take()) {}
    didLetGo()
  }

  @usableFromInline package var description: String {
    describe.withLock { $0 }?() ?? "\(name)"
  }
  @usableFromInline package var playgroundDescription: Any { description }
  @usableFromInline package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

@available(*, unavailable)
extension PullSubscription.Body: Sendable {}
