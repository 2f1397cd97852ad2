// Unmanaged references: the retains that are made for a subscription here are its own; see `Cursor`.

public import FanoutEngine

/// The subscription of one subscriber to a replaying hub: its cursor there.
///
/// The core has the same few lines of its own. They are written again because the core's are not
/// public.
@usableFromInline
final class ReplaySubscription<Downstream: Subscriber>: Cursor<
  Downstream.Input, Subscribers.Completion<Downstream.Failure>
>, Subscription, CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
  /// What the subscription calls itself.
  @usableFromInline
  enum Name: UInt8, Sendable {
    case subject, multicast
  }

  /// Makes a subscription; owner and receiver come retained for it.
  @inlinable
  init(
    hub: Unmanaged<Hub<Downstream.Input, Subscribers.Completion<Downstream.Failure>>>,
    owner: Unmanaged<AnyObject>, receiver: Unmanaged<AnyObject>, name: Name
  ) {
    super.init(hub: hub, owner: owner, receiver: receiver, kind: name.rawValue) { receiver, value in
      Downstream._subscriber(receiver)._receiveGuarded(value).credit
    }
  }

  @usableFromInline
  override func finish(
    _ end: Subscribers.Completion<Downstream.Failure>, _ receiver: AnyObject
  ) {
    Downstream._subscriber(receiver).receive(completion: end)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  @usableFromInline var description: String {
    kind == Name.subject.rawValue ? "ReplaySubject" : "Multicast"
  }
  @usableFromInline var playgroundDescription: Any { description }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension ReplaySubscription: ReferenceListing {
  package var heldReferences: [HeldReference] { cursorReferences }
}
