internal import FanoutEngine

/// A subscriber of which only the input and failure types are known.
///
/// It hides a subscriber, a subject, or three closures. It adds nothing: it forwards every call, on
/// the thread on which the call came, and demand, identifier and description too. Erasing twice
/// costs nothing: both share one box.
///
/// It is not `Sendable`, because it has forgotten whether the hidden subscriber is.
///
/// ```swift
/// import Fanout
///
/// let subscriber = AnySubscriber<Int, Never>(
///   receiveSubscription: { $0.request(.max(2)) },
///   receiveValue: {
///     print("value", $0)
///     return .none
///   })
///
/// (1...5).publisher.subscribe(subscriber)
/// // Prints:
/// // value 1
/// // value 2
/// ```
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
  let box: AnySubscriberBox<Input, Failure>

  /// The identifier of the hidden subscriber, which keeps it when erased.
  public let combineIdentifier: CombineIdentifier

  /// Creates a type-erased subscriber that wraps the specified one.
  ///
  /// - Parameter s: The subscriber to hide; retained. If it is an `AnySubscriber` already, its box
  ///   is shared.
  public init<S: Subscriber>(_ s: S) where S.Input == Input, S.Failure == Failure {
    if let erased = s as? AnySubscriber<Input, Failure> {
      self = erased
    } else {
      combineIdentifier = s.combineIdentifier
      box = AnySubscriberBox(
        base: s,
        receiveSubscription: { s.receive(subscription: $0) },
        receiveValue: { s.receive($0) },
        receiveCompletion: { s.receive(completion: $0) })
    }
  }

  /// Creates a subscriber that sends the values it receives into a subject.
  ///
  /// The subject receives the subscription through ``Subject/send(subscription:)`` and requests as
  /// many values as it wants; the subscriber itself requests none. Only the first subscription
  /// counts; a second one is cancelled.
  ///
  /// - Parameter s: The subject to send into. It is retained until the subscription is cancelled or
  ///   has ended.
  public init<S: Subject>(_ s: S) where S.Output == Input, S.Failure == Failure {
    self.init(SubjectSubscriber(s))
  }

  /// Creates a subscriber from closures.
  ///
  /// The closures run on the publisher's delivering thread, never two at a time. They are retained
  /// as long as the subscriber is.
  ///
  /// - Parameters:
  ///   - receiveSubscription: The closure that receives the subscription. Without it no value is
  ///     requested.
  ///   - receiveValue: The closure that receives a value and returns how many more to request.
  ///     Without it none are requested.
  ///   - receiveCompletion: The closure that receives the completion. Without it nothing happens.
  @preconcurrency
  public init(
    receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
    receiveValue: (@Sendable (Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    combineIdentifier = CombineIdentifier()
    box = AnySubscriberBox(
      base: "Anonymous AnySubscriber",
      receiveSubscription: receiveSubscription ?? { _ in },
      receiveValue: receiveValue ?? { _ in .none },
      receiveCompletion: receiveCompletion ?? { _ in })
  }

  /// Forwards the subscription to the hidden subscriber.
  ///
  /// - Parameter subscription: The link to the publisher.
  public func receive(subscription: any Subscription) { box.receiveSubscription(subscription) }

  /// Forwards a value to the hidden subscriber.
  ///
  /// - Parameter value: The value.
  /// - Returns: How many more values the hidden subscriber accepts.
  public func receive(_ value: Input) -> Subscribers.Demand { box.receiveValue(value) }

  /// Forwards the terminal to the hidden subscriber.
  ///
  /// - Parameter completion: Whether the publisher finished or failed.
  public func receive(completion: Subscribers.Completion<Failure>) {
    box.receiveCompletion(completion)
  }
}

@available(*, unavailable)
extension AnySubscriber: Sendable {}

extension AnySubscriber: CustomStringConvertible, CustomReflectable {
  /// The description of the hidden subscriber, or its type's name if it has none.
  public var description: String {
    (box.base as? any CustomStringConvertible)?.description
      ?? String(describing: type(of: box.base))
  }

  /// The mirror of the hidden subscriber, without children if it does not provide one.
  public var customMirror: Mirror {
    (box.base as? any CustomReflectable)?.customMirror
      ?? Mirror(box.base, children: EmptyCollection())
  }
}

extension AnySubscriber: CustomPlaygroundDisplayConvertible {
  /// The playground description of the hidden subscriber, or its description.
  public var playgroundDescription: Any {
    (box.base as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? description
  }
}

// Closures, not overridden methods: those formed in the inlinable initialisers above are
// specialised in the client, while a method of a generic base class never is.
package final class AnySubscriberBox<Input, Failure: Error> {
  package let base: Any
  package let receiveSubscription: (any Subscription) -> Void
  package let receiveValue: (Input) -> Subscribers.Demand
  package let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

  init(
    base: Any,
    receiveSubscription: @escaping (any Subscription) -> Void,
    receiveValue: @escaping (Input) -> Subscribers.Demand,
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.base = base
    self.receiveSubscription = receiveSubscription
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
    noteCreation(of: self, isPart: true)
  }
}
