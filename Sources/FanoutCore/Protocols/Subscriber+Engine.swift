// The requirements by which the package's own publishers ask more of a subscriber. Only those
// publishers call them, and only the package's subscribers implement them; every other subscriber
// has the ones below.
//
// Unsafe casts: invariant: `_subscriber` and `_deliver` are given only an object that
// `_retainedReceiver` of the same type returned. The caller owns the retain that comes with that
// object, beyond the call.

public import FanoutEngine

extension Subscriber {
  /// Forwards to ``receive(_:)``.
  ///
  /// A subscriber of this package that a drain has fused with needs no protection against a cancel
  /// during a call of that drain. During any other call, through ``receive(_:)``, it does. The two
  /// methods tell the subscriber which call it is.
  ///
  /// - Parameter input: The value.
  /// - Returns: How many more values are allowed.
  @_documentation(visibility: internal)
  @inlinable
  public func _receiveFused(_ input: Input) -> Subscribers.Demand { receive(input) }

  /// Declines to fuse.
  ///
  /// - Parameter source: The source whose subscription would arrive next. It notifies the
  ///   subscriber when none of its deliveries is running.
  /// - Returns: The initial demand, if nothing else has to learn of the subscription; nil if
  ///   ``receive(subscription:)`` has to follow.
  @_documentation(visibility: internal)
  @inlinable
  public func _fuse(_ source: DeliverySource) -> Credit? { nil }

  /// A box around this subscriber, retained.
  @_documentation(visibility: internal)
  @inlinable
  public var _retainedReceiver: Unmanaged<AnyObject> { .passRetained(ReceiverBox(self)) }

  /// Returns the subscriber in a box.
  ///
  /// - Parameter receiver: The object that `_retainedReceiver` returned.
  /// - Returns: The subscriber.
  @_documentation(visibility: internal)
  @inlinable
  public static func _subscriber(_ receiver: AnyObject) -> Self {
    unsafeDowncast(receiver, to: ReceiverBox<Self>.self).receiver
  }

  /// Passes a value to the subscriber in a box.
  ///
  /// - Parameters:
  ///   - input: The value.
  ///   - receiver: The object that `_retainedReceiver` returned.
  /// - Returns: The demand that the subscriber returns.
  @_documentation(visibility: internal)
  @inlinable
  @inline(__always)
  public static func _deliver(_ input: Input, to receiver: AnyObject) -> Subscribers.Demand {
    _subscriber(receiver)._receiveFused(input)
  }
}

extension Subscriber where Self: AnyObject {
  /// The subscriber itself, retained.
  @_documentation(visibility: internal)
  @inlinable
  public var _retainedReceiver: Unmanaged<AnyObject> { .passRetained(self) }

  /// Returns the subscriber itself.
  ///
  /// - Parameter receiver: The object that `_retainedReceiver` returned.
  /// - Returns: The subscriber.
  @_documentation(visibility: internal)
  @inlinable
  public static func _subscriber(_ receiver: AnyObject) -> Self {
    unsafeDowncast(receiver, to: Self.self)
  }

  /// Passes a value to the subscriber itself.
  ///
  /// - Parameters:
  ///   - input: The value.
  ///   - receiver: The object that `_retainedReceiver` returned.
  /// - Returns: The demand that the subscriber returns.
  @_documentation(visibility: internal)
  @inlinable
  @inline(__always)
  public static func _deliver(_ input: Input, to receiver: AnyObject) -> Subscribers.Demand {
    // As a strong reference it would be retained for each value once more.
    Unmanaged.passUnretained(unsafeDowncast(receiver, to: Self.self))
      ._withUnsafeGuaranteedRef { $0._receiveFused(input) }
  }
}

extension Subscriber {
  /// Forwards a value by the same kind of call by which it arrived.
  @inlinable
  @inline(__always)
  func receive(_ input: Input, isGuarded: Bool) -> Subscribers.Demand {
    isGuarded ? _receiveFused(input) : receive(input)
  }
}
