internal import Fanout
internal import FanoutEngine
internal import FanoutOperators

/// The role of an object in a report, which its type decides.
enum ObjectRole: Sendable {
  case subject
  /// A publisher of which a report names a loop, or a task that waits, besides a subject.
  case source
  case subscription, connection
  /// The place of a loop over values.
  case loop
  case other

  init(of type: any Any.Type) {
    self =
      if type is any ValueLoop.Type {
        .loop
      } else if type is any Subject.Type {
        .subject
      } else if type is any LoopSource.Type {
        .source
      } else if type is Connection.Type {
        .connection
      } else if type is any ChainedReceiver.Type {
        .other
      } else if type is any Subscription.Type || type is DeliverySource.Type
        || type is InnerSubscription.Type
      {
        .subscription
      } else {
        .other
      }
  }
}

/// A publisher with a state of its own, at which the search for the source of a loop ends.
protocol LoopSource {}

extension Publishers.Share: LoopSource {}
extension Publishers.ShareState: LoopSource {}
extension CurrentValue: LoopSource {}
extension Publishers.Multicast: LoopSource {}
extension Publishers.Autoconnect: LoopSource {}
extension Publishers.Callback: LoopSource {}
extension Future: LoopSource {}

/// The object behind a `for await` loop, at which its tasks wait for the next value.
package protocol ValueLoop: AnyObject {
  /// The call that makes the sequence, as it is written in the user's code.
  static var call: String { get }
  /// Whether it has released its upstream.
  var isOver: Bool { get }
  /// The number of tasks that wait at it now.
  var waitingTasks: Int { get }
}
