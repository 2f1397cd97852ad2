// Invariant: properties marked `@exclusivity(unchecked)` are reached only by the holder of `drain`.

public import FanoutEngine
public import Synchronization

/// The subscription of a publisher that has its values at hand: hands them out as they are asked for.
///
/// It loops, so that requests made inside `receive` do not nest; a request or a cancel that comes
/// while another thread delivers is seen by that thread.
@usableFromInline
final class PullSubscription<Elements: IteratorProtocol, Downstream: Subscriber>: DeliverySource,
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

  /// What other threads may add or ask for.
  @usableFromInline
  struct Attachments {
    @usableFromInline var receivers: [Link] = []
    @usableFromInline var describe: (() -> String)?

    @inlinable
    init(describe: (() -> String)?) { self.describe = describe }
  }

  // Held from the start, so that nothing is delivered before the subscriber has been told.
  @usableFromInline let drain = Drain(running: true)
  @usableFromInline let pending = PendingCredit()
  @usableFromInline let isCancelled = AtomicValue<Bool>(false)
  /// Whether everything was let go of, so that nothing is delivered any more.
  @usableFromInline let hasLetGo = AtomicValue<Bool>(false)
  @usableFromInline let attachments: Lock<Attachments>
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
    attachments = Lock(Attachments(describe: describe))
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

  @inlinable
  override func request(_ credit: Credit) {
    guard credit != .none, !isCancelled.load(ordering: .relaxed), !isOver else { return }
    pending.add(credit)
    if drain.announce(.queued) { runOut() }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  @usableFromInline
  override var isOver: Bool { hasLetGo.load(ordering: .acquiring) }

  @usableFromInline
  override func cancel(thenRelease receiver: Link?) {
    isCancelled.store(true, ordering: .releasing)
    if isOver {
      receiver?._releaseFromGuard()
      return
    }
    if let receiver { attachments.withLock { $0.receivers.append(receiver) } }
    if drain.announce(.attention) { runOut() }
  }

  @inlinable
  func runOut() {
    repeat {
      drain.clear([.queued, .attention])
      if isCancelled.load(ordering: .acquiring) {
        letGo()
      } else if let ended = deliver() {
        letGo()
        // What was released may have cancelled.
        if !isCancelled.load(ordering: .acquiring) { ended.receive(completion: .finished) }
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
      if isCancelled.load(ordering: .relaxed) { return nil }
      credit = credit.afterOne + body.downstream._receiveGuarded(element).credit
      if isCancelled.load(ordering: .relaxed) { return nil }
      if credit == .none { credit = pending.take() }
    }
    return body.downstream
  }

  @usableFromInline
  func letGo() {
    body = nil
    hasLetGo.store(true, ordering: .sequentiallyConsistent)
    let old = attachments.withLock { attachments in
      let old = attachments
      attachments = Attachments(describe: nil)
      return old
    }
    for receiver in old.receivers { receiver._releaseFromGuard() }
  }

  override func whileIdle(_ body: () -> Void) -> Bool {
    drain.look(body)
  }

  @usableFromInline var description: String {
    attachments.withLock { $0.describe }?() ?? "\(name)"
  }
  @usableFromInline var playgroundDescription: Any { description }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

@available(*, unavailable)
extension PullSubscription.Body: Sendable {}

@available(*, unavailable)
extension PullSubscription.Attachments: Sendable {}

extension PullSubscription: ReferenceListing {
  package var heldReferences: [HeldReference] {
    var held: [HeldReference] = [.busy("body")]
    _ = whileIdle {
      held = body.map { [.value("body", $0), .value("body.elements", $0.elements)] } ?? []
      if let next = body?.next { held.append(.value("body.next", next)) }
    }
    return held + [.value("attachments", attachments.withLock { $0 })]
  }
}

extension PullSubscription.Body: ReferenceListing {
  // What deliveries change is listed by the subscription, which can look at it while there are none.
  package var heldReferences: [HeldReference] { [.value("downstream", downstream)] }
}
