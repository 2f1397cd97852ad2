/// Something that can deliver values over time, to whoever subscribes.
///
/// A publisher is a description. Subscribing is what makes a run of it: each subscriber gets its own
/// subscription, values as it asks for them, and at most one terminal after every value it is owed.
/// ``Subscriber`` says in which order the calls come.
///
/// To write one, make ``receive(subscriber:)`` hand over a ``Subscription`` that delivers on request.
/// To use one, call ``subscribe(_:)->()`` or an operator that does.
///
/// ```swift
/// import Fanout
///
/// struct Nothing: Publisher {
///   typealias Output = Int
///   typealias Failure = Never
///
///   func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
///     subscriber.receive(subscription: Subscriptions.empty)
///     subscriber.receive(completion: .finished)
///   }
/// }
///
/// Nothing().subscribe(AnySubscriber(receiveCompletion: { print($0) }))
/// // Prints:
/// // finished
/// ```
public protocol Publisher<Output, Failure> {
  /// What it delivers.
  associatedtype Output

  /// How it can fail; `Never` if it cannot.
  associatedtype Failure: Error

  /// Attaches a subscriber.
  ///
  /// This is for publishers to implement; ``subscribe(_:)->()`` is for callers. An implementation
  /// calls ``Subscriber/receive(subscription:)`` before this method returns, and anything else after
  /// that.
  ///
  /// - Parameter subscriber: Who wants the values.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
  /// Attaches a subscriber.
  ///
  /// The subscriber receives its subscription on this thread before the call returns. When values
  /// come, and on which thread, is the publisher's affair.
  ///
  /// - Parameter subscriber: Who wants the values. It is retained until its subscription is
  ///   cancelled or it has received a terminal.
  @inlinable
  public func subscribe<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    receive(subscriber: subscriber)
  }

  /// Sends everything this publisher delivers into a subject, terminal included.
  ///
  /// The subject decides what to ask for: it is given the subscription by
  /// ``Subject/send(subscription:)``. ``PassthroughSubject`` asks for everything when a subscriber
  /// of it has asked, ``CurrentValueSubject`` at once.
  ///
  /// - Parameter subject: Who sends the values on. Retained until cancel or terminal.
  /// - Returns: What stops it. Dropping it stops it too; neither ends the subject.
  @inlinable
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
  where S.Output == Output, S.Failure == Failure {
    let subscriber = SubjectSubscriber(subject)
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}
