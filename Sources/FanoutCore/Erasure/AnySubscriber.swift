public import FanoutEngine

/// A subscriber of which only input and failure are known.
///
/// It hides a subscriber, a subject, or three closures. It adds nothing of its own: every call goes
/// on to what it hides, on the thread it came on, and so do demand, identifier and description.
/// Erasing twice costs nothing: there is one box however often it is done.
///
/// It is not `Sendable`, because it has forgotten whether what it hides is.
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
@frozen
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
  @usableFromInline let box: AnySubscriberBox<Input, Failure>

  /// What tells the hidden subscriber from every other: it has the same identifier when erased.
  public let combineIdentifier: CombineIdentifier

  /// Hides a subscriber.
  ///
  /// - Parameter s: What is hidden, and retained. If it is an `AnySubscriber` already, its box is
  ///   shared.
  @inlinable
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

  /// Makes a subscriber that sends what it receives into a subject.
  ///
  /// The subject is given the subscription by ``Subject/send(subscription:)`` and asks for what it
  /// wants; the subscriber itself asks for nothing. Only the first subscription counts, a second is
  /// cancelled.
  ///
  /// - Parameter s: The subject. Retained until the subscription is cancelled or has ended.
  @inlinable
  public init<S: Subject>(_ s: S) where S.Output == Input, S.Failure == Failure {
    self.init(SubjectSubscriber(s))
  }

  /// Makes a subscriber from closures.
  ///
  /// They run on whatever thread the publisher delivers on, never two at a time, and are retained as
  /// long as the subscriber is.
  ///
  /// - Parameters:
  ///   - receiveSubscription: What to do with the subscription. Without it nothing is asked for.
  ///   - receiveValue: What to do with a value; returns how many more are wanted. Without it none.
  ///   - receiveCompletion: What to do at the end. Without it nothing.
  @inlinable
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

  /// Hands on the subscription.
  ///
  /// - Parameter subscription: The link to the publisher.
  @inlinable
  public func receive(subscription: any Subscription) { box.receiveSubscription(subscription) }

  /// Hands on a value.
  ///
  /// - Parameter value: The value.
  /// - Returns: How many more values the hidden subscriber can take.
  @inlinable
  public func receive(_ value: Input) -> Subscribers.Demand { box.receiveValue(value) }

  /// Hands on the terminal.
  ///
  /// - Parameter completion: Whether the publisher finished or failed.
  @inlinable
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
  /// What the hidden subscriber shows in a playground, or its description.
  public var playgroundDescription: Any {
    (box.base as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? description
  }
}

// Closures, not overridden methods: those formed in the inlinable initialisers above are specialised
// in the client, while a method of a generic base class never is.
@usableFromInline
final class AnySubscriberBox<Input, Failure: Error> {
  @usableFromInline let base: Any
  @usableFromInline let receiveSubscription: (any Subscription) -> Void
  @usableFromInline let receiveValue: (Input) -> Subscribers.Demand
  @usableFromInline let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

  @inlinable
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

@available(*, unavailable)
extension AnySubscriberBox: Sendable {}

extension AnySubscriberBox: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [
      .value("base", base), .closure("receiveSubscription", receiveSubscription),
      .closure("receiveValue", receiveValue), .closure("receiveCompletion", receiveCompletion),
    ]
  }
}
