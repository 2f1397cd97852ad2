// What the package's own publishers ask of a subscriber. Nobody else calls or implements these; the
// subscribers of the package implement some, every other has the ones below.
//
// Unsafe casts: invariant: `_subscriber` is given only an object that `_retainedReceiver` of the same
// type returned. The retain that comes with that is the caller's.

public import FanoutEngine

extension Subscriber {
  /// Does what ``receive(_:)`` does.
  ///
  /// A subscriber of this package that was adopted by a drain need not protect itself against a
  /// cancel during a call of that drain; during any other call, through ``receive(_:)``, it must.
  /// The two ways in tell it which it is.
  ///
  /// - Parameter input: The value.
  /// - Returns: How many more values are allowed.
  @_documentation(visibility: internal)
  @inlinable
  public func _receiveGuarded(_ input: Input) -> Subscribers.Demand { receive(input) }

  /// Adopts nothing.
  ///
  /// - Parameter source: Whose subscription would arrive next. It tells the subscriber when none of
  ///   its deliveries is running.
  /// - Returns: What is asked for at the start, if nobody else need be told of the subscription; nil
  ///   if ``receive(subscription:)`` has to follow.
  @_documentation(visibility: internal)
  @inlinable
  public func _adopt(_ source: DeliverySource) -> Credit? { nil }

  /// A box around this subscriber, retained.
  @_documentation(visibility: internal)
  @inlinable
  public var _retainedReceiver: Unmanaged<AnyObject> { .passRetained(ReceiverBox(self)) }

  /// The subscriber in a box.
  ///
  /// - Parameter receiver: The object that `_retainedReceiver` returned.
  /// - Returns: The subscriber.
  @_documentation(visibility: internal)
  @inlinable
  public static func _subscriber(_ receiver: AnyObject) -> Self {
    unsafeDowncast(receiver, to: ReceiverBox<Self>.self).receiver
  }
}

extension Subscriber where Self: AnyObject {
  /// The subscriber itself, retained.
  @_documentation(visibility: internal)
  @inlinable
  public var _retainedReceiver: Unmanaged<AnyObject> { .passRetained(self) }

  /// The subscriber itself.
  ///
  /// - Parameter receiver: The object that `_retainedReceiver` returned.
  /// - Returns: The subscriber.
  @_documentation(visibility: internal)
  @inlinable
  public static func _subscriber(_ receiver: AnyObject) -> Self {
    unsafeDowncast(receiver, to: Self.self)
  }
}

extension Subscriber {
  /// Hands a value on in the way in which it came.
  @inlinable
  @inline(__always)
  func receive(_ input: Input, isGuarded: Bool) -> Subscribers.Demand {
    isGuarded ? _receiveGuarded(input) : receive(input)
  }
}
