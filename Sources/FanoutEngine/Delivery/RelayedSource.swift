// Unsafe casts: invariant: `waiting` holds only nodes, each of which comes retained and is taken
// once.

/// A source in the middle of a chain: a receiver of the source above, and the source of the node
/// below.
open class RelayedSource<Body: ReceiverBody>: DeliverySource {
  /// The node below that waits for the end of a delivery.
  package let waiting = AtomicReference()
  /// The receiving end; last, as it leaves room for what is small in a subclass.
  public let stage: ReceiverStage<Body>

  /// Creates a node whose deliveries use `body`.
  public init(_ body: Body, isPart: Bool = false) {
    stage = ReceiverStage(body)
    super.init(isPart: isPart)
  }

  /// Closes at the end of the source above, releases it, and returns the result of `body`.
  @inlinable
  public final func finish<Result>(taking body: (Body) -> Result) -> Result? {
    let result = stage.finish(for: self, taking: body)
    // A cancel that still saw the guard may have left its receiver after the guard was given up.
    runIfUnguarded()
    return result
  }

  open override func disallowDrops() -> Bool { stage.disallowDrops() }

  open override func request(_ credit: Credit) {
    if credit != .none { stage.request(credit) }
  }

  /// Accepts the source above.
  ///
  /// Returns false after it cancelled `source`, because there is one already or this node is
  /// closed.
  public final func attach(_ source: DeliverySource) -> Bool {
    stage.attach(source, for: self)
  }

  public final override func cancel(thenRelease receiver: ChainNode?) {
    willCancel()
    let body = stage.withBody { $0 }
    if let receiver { tell(waiting.replace(by: receiver)) }
    stage.cancel(for: self)
    runIfUnguarded()
    if let body { didCancel(body) }
  }

  /// Called at each cancel, before anything else.
  open func willCancel() {}

  /// Called when a cancel has been passed on, unless this node was closed before it.
  open func didCancel(_ body: Body) {}

  /// Releases the body, and notifies the node that waits below.
  public final override func _sourceDidQuiesce() {
    stage.release()
    tell(waiting.take())
  }

  /// Notifies the node below if no guard is left: its own counting protects it then.
  @usableFromInline
  final func runIfUnguarded() {
    if !stage.reference.isGuarded { tell(waiting.take()) }
  }

  final func tell(_ receiver: Unmanaged<AnyObject>?) {
    guard let receiver = receiver?.takeRetainedValue() else { return }
    unsafeDowncast(receiver, to: ChainNode.self)._sourceDidQuiesce()
  }
}
