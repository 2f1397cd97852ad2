/// The closures of a sink, which are released as a whole at the cancel and at the end.
@_fixed_layout
public class SinkClosures<Element, End>: ReceiverBody {
  /// The closure to call with each value.
  ///
  /// A closure that is read out of a `let` is not retained for each value.
  public let receiveValue: @Sendable (Element) -> Void

  /// Creates the closures of a sink that ignores the end.
  @inlinable
  public init(receiveValue: @escaping @Sendable (Element) -> Void) {
    self.receiveValue = receiveValue
    super.init()
  }

  /// The closure to call with the end.
  public var receiveEnd: (@Sendable (End) -> Void)? { nil }
}

/// The closures of a sink that also receives the end.
@_fixed_layout
public final class EndingSinkClosures<Element, End>: SinkClosures<Element, End> {
  @usableFromInline package let receiveCompletion: @Sendable (End) -> Void

  /// Creates the closures of a sink that receives the end.
  @inlinable
  public init(
    receiveValue: @escaping @Sendable (Element) -> Void,
    receiveCompletion: @escaping @Sendable (End) -> Void
  ) {
    self.receiveCompletion = receiveCompletion
    super.init(receiveValue: receiveValue)
  }

  public override var receiveEnd: (@Sendable (End) -> Void)? { receiveCompletion }
}
