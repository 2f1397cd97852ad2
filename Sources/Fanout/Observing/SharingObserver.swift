/// An observer of what happens inside a shared publisher: its connections, and its subscribers one
/// by one.
///
/// Pass one where the sharing begins, to
/// ``Publisher/share(replay:disconnect:restart:backlog:observer:)``, `multicast`, the `shared` of
/// an `AsyncSequence`, a ``Broadcast`` or a ``SharedByKey``. A log, a metric or a trace takes a few
/// lines. Each requirement does nothing by default, so implement those that you need.
///
/// Contract rule L11 says what an observer is told. In short: calls never overlap, and they come in
/// the order in which things happened. For one subscriber that is ``joined(_:)``, what happens to
/// it, and ``left(_:)`` once.
///
/// - Concurrency: a call comes on the thread that delivers, or on one that connects or disconnects,
///   and no lock of the library is held. If two threads have something to tell at the same time,
///   one of them tells both. You may send, subscribe, cancel and read `status` inside a call; what
///   follows from that is told when the call has returned. Until a call returns, subscribers may
///   have to wait for their values, so be quick.
/// - Ownership: the shared publisher retains the observer, and so does each of its subscriptions.
///   An observer that retains the shared publisher is never released, and neither is that.
/// - Cost: a share without an observer has none. With one, a value that every subscriber takes at
///   once costs no more. For any other value, each subscriber that is not a sink is looked at.
///
/// ```swift
/// import Fanout
///
/// struct Log: SharingObserver {
///   func joined(_ subscriber: ObservedSubscriber) { print("joined", subscriber.label ?? "-") }
///   func left(_ subscriber: ObservedSubscriber) { print("left", subscriber.label ?? "-") }
/// }
///
/// let source = PassthroughSubject<Int, Never>()
/// let shared = source.share(observer: Log())
/// let first = shared.sink { _ in }
/// let second = shared.joining(label: "screen").sink { _ in }
/// first.cancel()
/// second.cancel()
/// // Prints:
/// // joined -
/// // joined screen
/// // left -
/// // left screen
/// ```
public protocol SharingObserver: Sendable {
  /// Receives that a connection begins; called on the thread that will subscribe to the upstream,
  /// without a lock.
  ///
  /// - Parameter connection: The number of the connection, counted from 1.
  func connected(_ connection: Int)

  /// Receives that a connection is over; called on the thread that ends or closes it, without a
  /// lock.
  ///
  /// It is called once for each connection. The subscribers get the end behind this call.
  ///
  /// - Parameters:
  ///   - connection: The number of the connection.
  ///   - end: The reason.
  func ended(_ connection: Int, by end: ConnectionEnd)

  /// Receives that a subscriber has joined; called without a lock.
  ///
  /// - Parameter subscriber: The subscriber, which may be a sink or a `for await` loop.
  func joined(_ subscriber: ObservedSubscriber)

  /// Receives that a subscriber has left or got the end; called without a lock.
  ///
  /// It is called once for each subscriber that has joined. What it has missed was told before.
  ///
  /// - Parameter subscriber: The subscriber.
  func left(_ subscriber: ObservedSubscriber)

  /// Receives that values were lost on a subscriber; called without a lock.
  ///
  /// While it loses one value after the other, you are told when the number of lost values has
  /// doubled: at 1, 2, 4, 8 and so on. You are told the rest when it takes a value, or leaves. The
  /// sum of all counts is what it has missed.
  ///
  /// - Parameters:
  ///   - count: The number of values since the last call for this subscriber.
  ///   - subscriber: The subscriber.
  func missed(_ count: Int, by subscriber: ObservedSubscriber)

  /// Receives that a subscriber continues where a newcomer would start, because its backlog says so
  /// (``Backlog/WhenFull/rejoin``); called without a lock.
  ///
  /// - Parameter subscriber: The subscriber.
  func rejoined(_ subscriber: ObservedSubscriber)

  /// Receives how many values wait for a subscriber that is slow; called without a lock.
  ///
  /// You are told when 8 values wait, or as many as its backlog takes if that is fewer. Then you
  /// are told when the number has doubled, and 0 when it has caught up. So a subscriber that keeps
  /// up costs no calls.
  ///
  /// - Parameters:
  ///   - count: The number of values.
  ///   - subscriber: The subscriber.
  func waiting(_ count: Int, for subscriber: ObservedSubscriber)
}

extension SharingObserver {
  /// Does nothing.
  public func connected(_ connection: Int) {}
  /// Does nothing.
  public func ended(_ connection: Int, by end: ConnectionEnd) {}
  /// Does nothing.
  public func joined(_ subscriber: ObservedSubscriber) {}
  /// Does nothing.
  public func left(_ subscriber: ObservedSubscriber) {}
  /// Does nothing.
  public func missed(_ count: Int, by subscriber: ObservedSubscriber) {}
  /// Does nothing.
  public func rejoined(_ subscriber: ObservedSubscriber) {}
  /// Does nothing.
  public func waiting(_ count: Int, for subscriber: ObservedSubscriber) {}
}

/// A subscriber as a ``SharingObserver`` knows it.
public struct ObservedSubscriber: Hashable, Sendable, Identifiable {
  /// The number of the subscriber among all that this observer was told of by one shared publisher,
  /// counted from 1.
  public let id: Int
  /// The name that it joined with, by ``SharedPublisher/joining(_:where:backlog:label:)``.
  public let label: String?
}

/// The reason for which a connection is over.
public enum ConnectionEnd: Sendable {
  /// The upstream has finished.
  case finished
  /// The upstream has failed.
  case failed(any Error)
  /// The last claim was released, or the connection was replaced by another one.
  case disconnected
}

extension ConnectionEnd: CustomStringConvertible {
  /// The reason in words, with the error.
  public var description: String {
    switch self {
    case .finished: "finished"
    case .failed(let error): "failed: \(error)"
    case .disconnected: "disconnected"
    }
  }
}
