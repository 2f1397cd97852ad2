public import FanoutEngine

/// A description of how to deliver a sequence of values over time to its subscribers.
///
/// Each subscriber starts a run of its own: it gets its own subscription, values as it requests
/// them, and at most one terminal after all its values. ``Subscriber`` lists the order of
/// the calls.
///
/// To write a publisher, make ``receive(subscriber:)`` give the subscriber a ``Subscription`` that
/// delivers on request. To use one, call ``subscribe(_:)->()`` or an operator that does.
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
public protocol Publisher<Output, Failure>: SendableMetatype {
  /// The kind of values that this publisher delivers.
  associatedtype Output

  /// The kind of errors that this publisher can fail with; `Never` if it cannot fail.
  associatedtype Failure: Error

  /// Attaches the specified subscriber to this publisher.
  ///
  /// Publishers implement this method; callers use ``subscribe(_:)->()``. An implementation calls
  /// ``Subscriber/receive(subscription:)`` before this method returns, and every other method of
  /// the subscriber after that call.
  ///
  /// - Parameter subscriber: The subscriber to attach.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure

  /// Attaches the closures of a sink.
  ///
  /// The package's publishers implement it where a sink needs no subscriber of its own. Every other
  /// publisher has the default implementation, which subscribes a ``Subscribers/Sink``.
  ///
  /// - Parameter closures: The closures to call.
  /// - Returns: An object that keeps the subscription alive.
  @_documentation(visibility: internal)
  func _sink(_ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>)
    -> AnyCancellable

  /// The value of a publisher that sends one value at the first request and then finishes, calling
  /// nothing of the user's for either; nil for every other publisher.
  ///
  /// An operator may deliver it without a subscription. The default implementation returns nil.
  @_documentation(visibility: internal)
  var _onlyValue: Output? { get }
}

extension Publisher {
  /// No value, as for every publisher whose value is not at hand.
  @_documentation(visibility: internal)
  public var _onlyValue: Output? { nil }
}

extension Publisher {
  /// Attaches the specified subscriber to this publisher.
  ///
  /// The subscriber receives its subscription on this thread before the call returns. When values
  /// arrive, and on which thread, depends on the publisher.
  ///
  /// - Parameter subscriber: The subscriber to attach. It is retained until its subscription is
  ///   cancelled or it has received a terminal. It is called on the threads that send, so it must
  ///   be safe to use from any of them.
  @inlinable
  public func subscribe<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    receive(subscriber: subscriber)
  }

  /// Attaches the specified subject, which then sends everything that this publisher delivers,
  /// terminal included.
  ///
  /// The subject receives the subscription through ``Subject/send(subscription:)`` and decides how
  /// much to request. ``PassthroughSubject`` requests everything once one of its subscribers has
  /// requested a value, ``CurrentValueSubject`` immediately.
  ///
  /// - Parameter subject: The subject to attach. It is retained until cancel or terminal.
  /// - Returns: A cancellable that stops the transfer. Releasing it stops the transfer too; neither
  ///   ends the subject.
  @inlinable
  @preconcurrency
  public func subscribe<S: Subject & Sendable>(_ subject: S) -> AnyCancellable
  where S.Output == Output, S.Failure == Failure {
    relay(to: subject)
  }

  /// Relays values to a subject, of which the compiler does not know that any thread may use it.
  @usableFromInline
  package func relay<S: Subject>(to subject: S) -> AnyCancellable
  where S.Output == Output, S.Failure == Failure {
    let subscriber = SubjectSubscriber(subject)
    receive(subscriber: subscriber)
    return AnyCancellable(subscriber)
  }
}
