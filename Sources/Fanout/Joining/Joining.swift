// `@unchecked Sendable` invariant: all properties are constants, and closures in them were passed
// in as `@Sendable`.

internal import FanoutEngine

extension Publishers {
  /// A publisher whose subscribers join a shared publisher on terms of their own.
  ///
  /// - Starts: as its source.
  /// - Stops: as its source.
  /// - A late subscriber gets: what its ``Join`` says.
  /// - A slow subscriber: as its ``Backlog`` says.
  /// - Memory: as its source, and its own backlog.
  ///
  /// - Completion, threads: as its source.
  /// - Ownership: retains its source. A subscription retains the source until cancel or completion.
  /// - Cost: none for other subscribers. In a source that keeps nothing for its slow subscribers,
  ///   what waits for this one is stored for it alone.
  public struct Joining<Upstream: SharedPublisher>: SharedPublisher, UpstreamTypes {
    /// The shared publisher to join.
    package let source: Upstream
    let place: Join<Upstream.Output>
    let backlog: Backlog<Upstream.Output, Upstream.Failure>?
    let label: String?
    let isWanted: (@Sendable (Upstream.Output) -> Bool)?

    init(
      source: Upstream, place: Join<Upstream.Output>,
      isWanted: (@Sendable (Upstream.Output) -> Bool)?,
      backlog: Backlog<Upstream.Output, Upstream.Failure>?, label: String?
    ) {
      self.source = source
      self.place = place
      self.backlog = backlog
      self.label = label
      self.isWanted = isWanted
      checkTerms(source._access.hub)
    }

    /// The way into the publisher.
    @_documentation(visibility: internal)
    public var _access: SharedAccess<Upstream.Output, Upstream.Failure> {
      var access = source._access
      access.place = place.place
      access.policy = backlog?.policy
      access.label = label
      // What an earlier joining has left out stays out.
      if let isWanted {
        access.selects =
          access.selects.map { earlier in { earlier($0) && isWanted($0) } } ?? isWanted
      }
      return access
    }

    /// Attaches the specified subscriber.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      _access.attach(subscriber)
    }

    /// Traps if the terms cannot be kept by this hub.
    private func checkTerms(_ hub: Hub<Upstream.Output, Subscribers.Completion<Upstream.Failure>>) {
      trap(
        unless: hub.hasKeyframes || !place.place.canBeNextStart,
        """
        joining(.nextKeyframe), or .after with ifUnknown: .nextKeyframe: the replay of the shared \
        publisher has no keyframes; use .live.
        """)
      guard let policy = backlog?.policy else { return }
      trap(
        unless: !policy.isRejoining || !hub.retainsEverything,
        """
        joining(backlog: .rejoin) with Replay.all: a newcomer starts at the first value, so \
        nothing lies ahead to go on from; use another backlog.
        """)
      trap(
        unless: !policy.limitsDemand || hub.limitsDemand,
        """
        joining(backlog: .wait): the shared publisher has asked its upstream for everything; pass \
        a backlog with .wait to share or multicast as well.
        """)
    }
  }
}

extension Publishers.Joining: @unchecked Sendable where Upstream: Sendable {}
