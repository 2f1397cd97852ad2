internal import FanoutEngine

/// A publisher that many subscribers share, and that each of them can join on terms of its own.
///
/// ``Publishers/Share``, ``Publishers/ShareState``, ``Publishers/Multicast`` with a ``Replay``,
/// ``Publishers/Autoconnect`` of one, ``ReplaySubject``, `CurrentValueSubject` and
/// ``Publishers/Joining`` are shared publishers. Types of your own cannot be.
public protocol SharedPublisher<Output, Failure>: _SharedPublisher {}

/// A shared publisher, whether it is `Sendable` or not.
///
/// Of two members that differ in `Sendable` alone the compiler prefers none. So `values` of a
/// publisher that is not `Sendable` belongs to this protocol, and that of one that is to
/// ``SharedPublisher``.
@_documentation(visibility: internal)
public protocol _SharedPublisher<Output, Failure>: Publisher {
  /// The way into the publisher.
  @_documentation(visibility: internal)
  var _access: SharedAccess<Output, Failure> { get }
}

extension SharedPublisher {
  /// Returns a publisher whose subscribers join this one at a place and with a backlog of their
  /// own.
  ///
  /// Subscribers of this publisher and of all that are made from it share one connection. If you
  /// call `joining` on the result of `joining`, only the last call counts: arguments that it leaves
  /// out have their default values.
  ///
  /// `joining` traps at once in three cases:
  ///
  /// - with ``Backlog/WhenFull/wait``, if the backlog of the shared publisher does not wait: it has
  ///   already requested everything from its upstream;
  /// - with ``Backlog/WhenFull/rejoin``, if the replay is ``Replay/all``;
  /// - with ``Join/nextKeyframe`` or ``Join/IfUnknown/nextKeyframe``, if the replay has no
  ///   keyframes.
  ///
  /// - Parameters:
  ///   - place: The place at which a subscriber joins.
  ///   - isWanted: The closure that returns whether such a subscriber takes a value, or nil if it
  ///     takes every value. It is called once for a value and a subscriber, by the delivering
  ///     thread and with no lock held. A value that is not wanted costs nothing else: it doesn't
  ///     wait, takes no room in the backlog and no demand, and is not missed.
  ///   - backlog: The policy for the values that wait for such a subscriber, or nil for that of the
  ///     shared publisher.
  ///   - label: The name of such a subscriber in ``status``.
  /// - Returns: A publisher over the same values.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let feed = PassthroughSubject<Int, Never>()
  /// let shared = feed.share(replay: .last(1000))
  /// let keeping = shared.sink { _ in }
  /// (1...5).forEach { feed.send($0) }
  /// let lastEvent = 3
  /// let back = shared.joining(.after { $0 == lastEvent }).sink { print("back", $0) }
  /// let live = shared.joining(.live).sink { print("live", $0) }
  /// feed.send(6)
  /// for subscriber in [keeping, back, live] { subscriber.cancel() }
  /// // Prints:
  /// // back 4
  /// // back 5
  /// // back 6
  /// // live 6
  /// ```
  @preconcurrency
  public func joining(
    _ place: Join<Output> = .replay, where isWanted: (@Sendable (Output) -> Bool)? = nil,
    backlog: Backlog<Output, Failure>? = nil, label: String? = nil
  ) -> Publishers.Joining<Self> {
    Publishers.Joining(
      source: self, place: place, isWanted: isWanted, backlog: backlog, label: label)
  }

  /// Returns whether any attached subscriber would take a value.
  ///
  /// A subscriber or loop that joined without a closure takes every value, also if it has requested
  /// none. Ask before you make a value that is expensive.
  ///
  /// It may be called from any thread, also inside `receive` of a subscriber. It calls the closures
  /// on this thread, with no lock held, until one returns true. A subscriber that joins while a
  /// thread delivers counts as soon as that thread has taken it in.
  ///
  /// Cost: O(subscribers that joined with terms of their own).
  ///
  /// - Parameter value: The value.
  /// - Returns: Whether the value would have a taker.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let messages = PassthroughSubject<String, Never>()
  /// let shared = messages.share()
  /// let errors = shared.joining(where: { $0.hasPrefix("error") }).sink { print($0) }
  /// print(shared.hasSubscribers(matching: "error 1"), shared.hasSubscribers(matching: "note"))
  /// errors.cancel()
  /// // Prints:
  /// // true false
  /// ```
  public func hasSubscribers(matching value: Output) -> Bool {
    _access.hub.hasReceiver(selecting: value)
  }

  /// Replaces the connection by a new one with a clean replay; the subscribers stay.
  ///
  /// The old connection is cancelled. Subscribers get what still waits for them, and then the
  /// values of the new one. Of a reduced state (``Publishers/ShareState``), each gets a snapshot of
  /// the new connection first, which counts as a value in its backlog. Claims of `connect()` hold
  /// the new connection.
  ///
  /// If the upstream is a subject that is delivering, the new connection begins behind everything
  /// that the subject has accepted. What it has not delivered yet is lost for all subscribers.
  ///
  /// Without a live connection this does nothing: before the first subscriber, after a disconnect,
  /// after an end, and on a subject. After an end, ``Restart`` decides whether the next subscriber
  /// starts again.
  ///
  /// It may be called from any thread, also inside `receive`.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let source = PassthroughSubject<String, Never>()
  /// let shared = source.handleEvents(receiveSubscription: { _ in print("connected") })
  ///   .share(replay: .all)
  /// let first = shared.sink { print("first", $0) }
  /// source.send("old")
  /// shared.reconnect()
  /// let second = shared.sink { print("second", $0) }
  /// source.send("new")
  /// first.cancel()
  /// second.cancel()
  /// // Prints:
  /// // connected
  /// // first old
  /// // connected
  /// // first new
  /// // second new
  /// ```
  public func reconnect() {
    let access = _access
    // The share of a key must not be released while its connection is replaced.
    withExtendedLifetime(access) { access.claims?.reconnect() }
  }

  /// Releases what newcomers would get, so that they start behind this point.
  ///
  /// The connection goes on, and attached subscribers still get what waits for them. A subscriber
  /// whose backlog rejoins (``Backlog/WhenFull/rejoin``) is the exception. If more waits for it
  /// than its limit allows, it continues behind this point: behind the values that it requests
  /// next, with the next value, or at the end of the upstream. Under a policy with keyframes,
  /// newcomers wait for the next keyframe. The headers of ``Replay/headed(by:)`` are released too,
  /// but for subscribers that wait for a keyframe already: these get them. A `CurrentValueSubject`
  /// keeps its value, and a ``Publishers/ShareState`` its state.
  ///
  /// It may be called from any thread, also inside `receive`.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let chat = ReplaySubject<String, Never>(.last(10))
  /// chat.send("of the user before")
  /// chat.clearReplay()
  /// chat.send("hello")
  /// let late = chat.sink { print($0) }
  /// late.cancel()
  /// // Prints:
  /// // hello
  /// ```
  public func clearReplay() { _access.hub.clear() }
}

extension ReplaySubject: SharedPublisher {
  /// The way into the publisher.
  @_documentation(visibility: internal)
  public var _access: SharedAccess<Output, Failure> { SharedAccess(hub: hub, owner: self) }
}

extension CurrentValueSubject: SharedPublisher {
  /// The way into the publisher.
  @_documentation(visibility: internal)
  public var _access: SharedAccess<Output, Failure> { SharedAccess(hub: hub, owner: self) }
}

extension Publishers.Multicast: SharedPublisher, _SharedPublisher
where SubjectType == ReplaySubject<Upstream.Output, Upstream.Failure> {
  /// The way into the publisher.
  @_documentation(visibility: internal)
  public var _access: SharedAccess<Output, Failure> {
    switch target {
    case .core(.one(let core)): return SharedAccess(hub: core.hub, owner: self, claims: core)
    case .core(.newest(let cores)):
      let core = cores.current
      return SharedAccess(hub: core.hub, owner: core, claims: core)
    case .subject(let claims):
      return SharedAccess(hub: claims.subject.hub, owner: self, claims: claims)
    }
  }
}

extension Publishers.MakeConnectable: SharedPublisher {
  /// The way into the publisher.
  @_documentation(visibility: internal)
  public var _access: SharedAccess<Output, Failure> { inner._access }
}

extension Publishers.Autoconnect: SharedPublisher, _SharedPublisher
where Upstream: SharedPublisher {
  /// The way into the publisher.
  @_documentation(visibility: internal)
  public var _access: SharedAccess<Output, Failure> {
    switch way {
    case .sharing(let sharing): return sharing.access(of: self)
    case .counting(let counter):
      let access = upstream._access
      return SharedAccess(hub: access.hub, owner: self, counter: counter, claims: access.claims)
    }
  }
}

extension Publishers.Share: SharedPublisher {
  /// The way into the publisher.
  @_documentation(visibility: internal)
  public var _access: SharedAccess<Output, Failure> { sharing.access(of: self) }
}

extension Publishers.ShareState: SharedPublisher {
  /// The way into the publisher.
  @_documentation(visibility: internal)
  public var _access: SharedAccess<Output, Failure> {
    var access = sharing.access(of: self)
    access.isState = true
    return access
  }
}
