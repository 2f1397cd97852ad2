public import FanoutEngine

/// Something that receives values, and says how many it can take.
///
/// Calls come in this order: ``receive(subscription:)`` once, then ``receive(_:)`` for each value
/// that was asked for, then ``receive(completion:)`` at most once. They never overlap, whatever
/// thread they come on, and each happens after the one before it. Nothing follows a completion.
/// A terminal needs no demand; values do.
///
/// A subscriber asks by ``Subscription/request(_:)`` and by what it returns from ``receive(_:)``;
/// both add up. A `request` made inside ``receive(subscription:)`` or ``receive(_:)`` delivers only
/// after that call has returned.
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
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// What it receives.
  associatedtype Input

  /// How what it receives can fail; `Never` if it cannot.
  associatedtype Failure: Error

  /// Receives the link to the publisher, before anything else.
  ///
  /// It is called on the thread that subscribes, before `subscribe` returns.
  ///
  /// - Parameter subscription: What to ask for values, and what to cancel.
  func receive(subscription: any Subscription)

  /// Receives one value that was asked for.
  ///
  /// - Parameter input: The value.
  /// - Returns: How many more values it can take than it has asked for so far.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Learns that nothing more will come.
  ///
  /// - Parameter completion: Whether the publisher finished or failed.
  func receive(completion: Subscribers.Completion<Failure>)

  /// Takes a value in a delivery of a source that guards this subscriber; see `Subscriber+Engine`.
  @_documentation(visibility: internal)
  func _receiveGuarded(_ input: Input) -> Subscribers.Demand

  /// Takes a guarding source as its subscription; see `Subscriber+Engine`.
  @_documentation(visibility: internal)
  func _adopt(_ source: DeliverySource) -> Credit?

  /// The object that a cursor retains, retained once for it; see `Subscriber+Engine`.
  @_documentation(visibility: internal)
  var _retainedReceiver: Unmanaged<AnyObject> { get }

  /// The subscriber behind such an object; see `Subscriber+Engine`.
  @_documentation(visibility: internal)
  static func _subscriber(_ receiver: AnyObject) -> Self
}

extension Subscriber where Input == Void {
  /// Receives one value that says nothing but that it came.
  ///
  /// - Returns: How many more values it can take than it has asked for so far.
  @inlinable
  public func receive() -> Subscribers.Demand { receive(()) }
}
