// Unmanaged references: the retains that are made for a subscription here are its own; see
// `Cursor`.

public import FanoutEngine

/// The subscription of one subscriber to a replaying hub: its cursor there.
///
/// It repeats a few lines of the core's own subscription, which is not public.
@usableFromInline
final class ReplaySubscription<Downstream: Subscriber>: Cursor<
  Downstream.Input, Subscribers.Completion<Downstream.Failure>
>, Subscription, CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
  /// The publisher whose name the subscription's description shows.
  @usableFromInline
  enum Name: UInt8, Sendable {
    case subject, multicast
  }

  /// Makes a subscription; the owner and the receiver arrive already retained for it.
  @inlinable
  init(
    hub: Unmanaged<Hub<Downstream.Input, Subscribers.Completion<Downstream.Failure>>>,
    owner: Unmanaged<AnyObject>, receiver: Unmanaged<AnyObject>, name: Name
  ) {
    super.init(hub: hub, owner: owner, receiver: receiver, kind: name.rawValue) { receiver, value in
      Downstream._subscriber(receiver)._receiveFused(value).credit
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
