public import FanoutEngine

/// The subscription of one subscriber to a replaying hub: its cursor there.
///
/// The core has the same few lines of its own. They are written again because this module uses of
/// the core only what Combine offers too.
@usableFromInline
final class ReplaySubscription<Output, Failure: Error>: Cursor<
  Output, Subscribers.Completion<Failure>
>, Subscription, CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
  /// What the subscription calls itself; one byte, because there are many of them.
  @usableFromInline
  enum Name: UInt8, Sendable {
    case subject, multicast
  }

  @usableFromInline let name: Name

  @usableFromInline
  init(
    hub: Hub<Output, Subscribers.Completion<Failure>>, owner: AnyObject,
    outlet: Outlet<Output, Subscribers.Completion<Failure>>, name: Name
  ) {
    self.name = name
    super.init(hub: hub, owner: owner, outlet: outlet)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  @usableFromInline var description: String {
    switch name {
    case .subject: "ReplaySubject"
    case .multicast: "Multicast"
    }
  }
  @usableFromInline var playgroundDescription: Any { description }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension ReplaySubscription: ReferenceListing {
  package var heldReferences: [HeldReference] { cursorReferences }
}
