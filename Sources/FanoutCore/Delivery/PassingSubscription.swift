public import FanoutEngine

/// The subscription of an operator that passes on each value as it is.
@_documentation(visibility: internal)
open class PassingSubscription<Body: OperatorBody<Downstream>, Downstream: Subscriber>:
  OperatorSubscription<Body, Downstream>
{
  /// Passes on a value.
  @inlinable
  public final func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    stage.withBody { $0.downstream.receive(input) } ?? .none
  }

  /// Passes on a value of a fused upstream.
  @inlinable
  @inline(__always)
  public final func _receiveFused(_ input: Downstream.Input) -> Subscribers.Demand {
    stage.deliver {
      $0.downstream._receiveFused(input)
    } otherwise: {
      receive(input)
    }
  }
}
