// Unsafe casts: `waiting` holds only links.

/// A source in the middle of a chain: a receiver of the one above, a source for the one below.
open class RelayedSource<Body: ReceiverBody>: DeliverySource {
  /// The receiving end.
  public let stage: ReceiverStage<Body>
  /// Who waits, below this link, for the end of a delivery.
  @usableFromInline let waiting = TakeableReference(nil)

  /// Makes a link of a chain that uses `body` for its deliveries.
  @inlinable
  public init(_ body: Body) {
    stage = ReceiverStage(body)
    super.init()
  }

  /// Closes at the end of the source above, lets go of it, and returns what `body` took out.
  @inlinable
  public final func finish<Result>(taking body: (Body) -> Result) -> Result? {
    let result = stage.finish(for: self, taking: body)
    // A cancel that still saw the guard may have left its receiver after the guard was given up.
    runIfUnguarded()
    return result
  }

  open override func request(_ credit: Credit) {
    if credit != .none { stage.request(credit) }
  }

  /// Accepts the source above.
  ///
  /// Returns false if it was cancelled, because there is one already or because this link is
  /// closed.
  public final func attach(_ source: DeliverySource) -> Bool {
    stage.attach(source, for: self)
  }

  public final override func cancel(thenRelease receiver: Link?) {
    willCancel()
    let body = stage.withBody { $0 }
    if let receiver { tell(waiting.replace(by: receiver)) }
    stage.cancel(for: self)
    runIfUnguarded()
    if let body { didCancel(body) }
  }

  public final override func whileIdle(_ body: () -> Void) -> Bool {
    (stage.withBody { $0.adopted } ?? nil)?.whileIdle(body) ?? false
  }

  /// Called at each cancel, before anything else.
  open func willCancel() {}

  /// Called when a cancel has been passed on, unless this link was closed before it.
  open func didCancel(_ body: Body) {}

  /// Lets go of the body, and tells who waits below.
  public final override func _releaseFromGuard() {
    stage.release()
    tell(waiting.take())
  }

  /// Not guarded, or not any more: the receiver below is protected by its own counting.
  @usableFromInline
  final func runIfUnguarded() {
    if !stage.isGuarded { tell(waiting.take()) }
  }

  final func tell(_ receiver: Unmanaged<AnyObject>?) {
    guard let receiver = receiver?.takeRetainedValue() else { return }
    unsafeDowncast(receiver, to: Link.self)._releaseFromGuard()
  }
}

extension RelayedSource {
  /// What every link of a chain holds.
  package final var relayReferences: [HeldReference] {
    stage.heldReferences + (waiting.look { [.value("waiting", $0)] } ?? [])
  }
}
