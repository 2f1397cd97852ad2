public import FanoutEngine

/// A receiver of values that controls how many values it accepts.
///
/// Calls come in this order: ``receive(subscription:)`` once, then ``receive(_:)`` for each
/// requested value, then ``receive(completion:)`` at most once. They never overlap, whatever thread
/// they come on, and each happens after the one before it. Nothing follows a completion. A terminal
/// needs no demand; values do.
///
/// A subscriber requests values with ``Subscription/request(_:)`` and with what it returns from
/// ``receive(_:)``; both add up. A `request` made inside ``receive(subscription:)`` or
/// ``receive(_:)`` delivers only after that call has returned.
///
/// ```swift
/// import Fanout
///
/// final class FirstTwo: Subscriber {
///   func receive(subscription: any Subscription) { subscription.request(.max(1)) }
///
///   func receive(_ input: Int) -> Subscribers.Demand {
///     print("value", input)
///     return input < 2 ? .max(1) : .none
///   }
///
///   func receive(completion: Subscribers.Completion<Never>) { print(completion) }
/// }
///
/// (1...5).publisher.subscribe(FirstTwo())
/// // Prints:
/// // value 1
/// // value 2
/// ```
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible, SendableMetatype {
  /// The kind of values that this subscriber receives.
  associatedtype Input

  /// The kind of errors that the publisher can fail with; `Never` if it cannot fail.
  associatedtype Failure: Error

  /// Receives the link to the publisher, before anything else.
  ///
  /// The publisher calls this method on the thread that subscribes, before `subscribe` returns.
  ///
  /// - Parameter subscription: The link through which to request values and to cancel.
  func receive(subscription: any Subscription)

  /// Receives one requested value.
  ///
  /// - Parameter input: The value.
  /// - Returns: How many more values the subscriber accepts, beyond those already requested.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Receives the terminal: nothing more will come.
  ///
  /// - Parameter completion: Whether the publisher finished or failed.
  func receive(completion: Subscribers.Completion<Failure>)

  /// Receives a value in a delivery of a fused source; see `Subscriber+Engine`.
  @_documentation(visibility: internal)
  func _receiveFused(_ input: Input) -> Subscribers.Demand

  /// Accepts a fusing source as its subscription; see `Subscriber+Engine`.
  @_documentation(visibility: internal)
  func _fuse(_ source: DeliverySource) -> Credit?

  /// The object that a cursor retains, already retained once for it; see `Subscriber+Engine`.
  @_documentation(visibility: internal)
  var _retainedReceiver: Unmanaged<AnyObject> { get }

  /// Returns the subscriber behind such an object; see `Subscriber+Engine`.
  @_documentation(visibility: internal)
  static func _subscriber(_ receiver: AnyObject) -> Self

  /// Passes a value to the subscriber behind such an object; see `Subscriber+Engine`.
  @_documentation(visibility: internal)
  static func _deliver(_ input: Input, to receiver: AnyObject) -> Subscribers.Demand
}

extension Subscriber where Input == Void {
  /// Receives one value without content.
  ///
  /// - Returns: How many more values the subscriber accepts, beyond those already requested.
  @inlinable
  public func receive() -> Subscribers.Demand { receive(()) }
}
