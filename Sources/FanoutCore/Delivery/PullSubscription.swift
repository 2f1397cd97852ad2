// Invariant: properties marked `@exclusivity(unchecked)` are reached only by the holder of `drain`.

public import FanoutEngine

/// The subscription of a publisher that has its values at hand: hands them out as they are asked for.
@usableFromInline
final class PullSubscription<Elements: IteratorProtocol, Downstream: Subscriber>: DrainedSource,
  Subscription, CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
where Elements.Element == Downstream.Input {
  @usableFromInline
  final class Body {
    @usableFromInline let downstream: Downstream
    @exclusivity(unchecked) @usableFromInline var elements: Elements
    @exclusivity(unchecked) @usableFromInline var next: Elements.Element?

    @inlinable
    init(downstream: Downstream, elements: Elements) {
      self.downstream = downstream
      self.elements = elements
      next = self.elements.next()
      noteCreation(of: self, isPart: true)
    }
  }

  @usableFromInline let describe: Lock<(() -> String)?>
  @usableFromInline let name: StaticString
  @exclusivity(unchecked) @usableFromInline var body: Body?

  /// Makes a subscription that delivers `elements` and calls itself what `describe` says, or `name`
  /// once they are let go.
  ///
  /// Describing is left until somebody asks: it may be long, and must not outlive the elements.
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

  /// Tells the subscriber of its subscription, then delivers what it has asked for.
  @inlinable
  func begin(_ subscriber: Downstream) {
    if let credit = subscriber._adopt(self) {
      pending.add(credit)
    } else {
      subscriber.receive(subscription: self)
    }
    runOut()
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  @inlinable
  override func runOut() {
    repeat {
      drain.clear([.queued, .attention])
      if isCancelled {
        letGo()
      } else if let ended = deliver() {
        letGo()
        // What was released may have cancelled.
        if !isCancelled { ended.receive(completion: .finished) }
      }
    } while !drain.tryLeave()
  }

  /// Delivers what is asked for; returns whom to tell if that was all.
  @inlinable
  func deliver() -> Downstream? {
    guard let body else { return nil }
    var credit = pending.take()
    while let element = body.next {
      guard credit != .none else { return nil }
      body.next = body.elements.next()
      // Making an element is user code too, and may have cancelled.
      if isCancelled { return nil }
      credit = credit.afterOne + body.downstream._receiveGuarded(element).credit
      if isCancelled { return nil }
      if credit == .none { credit = pending.take() }
    }
    return body.downstream
  }

  @usableFromInline
  func letGo() {
    body = nil
    let described = describe.withLock { describe in
      defer { describe = nil }
      return describe
    }
    withExtendedLifetime(described) {}
    didLetGo()
  }

  @usableFromInline var description: String {
    describe.withLock { $0 }?() ?? "\(name)"
  }
  @usableFromInline var playgroundDescription: Any { description }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

@available(*, unavailable)
extension PullSubscription.Body: Sendable {}

extension PullSubscription: ReferenceListing {
  package var heldReferences: [HeldReference] {
    var held: [HeldReference] = [.busy("body")]
    _ = whileIdle {
      held = body.map { [.value("body", $0), .value("body.elements", $0.elements)] } ?? []
      if let next = body?.next { held.append(.value("body.next", next)) }
    }
    let describing = describe.withLock { $0 }.map { [HeldReference.closure("describe", $0)] } ?? []
    return held + describing + drainedReferences
  }
}

extension PullSubscription.Body: ReferenceListing {
  // What deliveries change is listed by the subscription, which can look at it while there are none.
  package var heldReferences: [HeldReference] { [.value("downstream", downstream)] }
}
