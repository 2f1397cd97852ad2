/// A check that objects live until an event and no longer, independent of any test library.
public struct ReleaseCheck<Owner> {
  /// A holder that keeps the owner in one place, so that the optimiser does not release it early.
  private final class Holder {
    var owner: Owner?
    init(_ owner: Owner) { self.owner = owner }
  }

  private let event: ReleaseEvent<Owner>
  private let place: SourcePlace
  private let scope = LifetimeScope()

  /// Makes a check.
  ///
  /// - Parameters:
  ///   - event: The event that must release the objects.
  ///   - place: The place of the check.
  public init(after event: ReleaseEvent<Owner>, at place: SourcePlace) {
    self.event = event
    self.place = place
  }

  /// Builds objects, triggers the event and returns an issue for each object with the wrong
  /// lifetime.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutLifetime
  ///
  /// final class Player: Sendable {
  ///   func play(_ track: Int) {}
  /// }
  ///
  /// let check = ReleaseCheck<AnyCancellable>(after: .cancel, at: SourcePlace())
  /// let tracks = PassthroughSubject<Int, Never>()
  /// let issues = check.run { scope in
  ///   let player = scope.track(Player(), "player")
  ///   return tracks.sink { player.play($0) }
  /// }
  /// print(issues)
  /// // Prints:
  /// // []
  /// ```
  ///
  /// - Parameter build: The closure that builds the objects, tracks those that the check is about,
  ///   and returns their owner.
  /// - Returns: The issues; none if every lifetime is right.
  public func run(_ build: (LifetimeScope) throws -> Owner) rethrows -> [LifetimeIssue] {
    let holder = Holder(try scope.tracker.perform { try build(scope) })
    return withExtendedLifetime((holder, scope)) {
      let early = issuesBefore()
      guard early.isEmpty else { return early }
      scope.tracker.perform { event.act(&holder.owner) }
      return scope.tracker.issues(outliving: event.name, at: nil)
    }
  }

  /// Builds objects, triggers the event, waits for their release and returns an issue for each
  /// object with the wrong lifetime.
  ///
  /// - Parameters:
  ///   - limit: The longest time to wait for the release.
  ///   - isolation: The actor on which `build` runs, by default the caller's.
  ///   - build: The closure that builds the objects, tracks those that the check is about, and
  ///     returns their owner.
  /// - Returns: The issues; none if every lifetime is right.
  public func run(
    eventually limit: Duration, isolation: isolated (any Actor)? = #isolation,
    _ build: (LifetimeScope) async throws -> Owner
  ) async rethrows -> [LifetimeIssue] {
    let holder = Holder(try await scope.tracker.perform { try await build(scope) })
    let early = issuesBefore()
    if early.isEmpty {
      scope.tracker.perform { event.act(&holder.owner) }
      _ = await scope.tracker.waitForRelease(within: limit)
    }
    return withExtendedLifetime((holder, scope)) {
      early.isEmpty ? scope.tracker.issues(outliving: event.name, at: nil) : early
    }
  }

  /// Returns the issues before the event, because a check of objects without a holder would always
  /// pass.
  private func issuesBefore() -> [LifetimeIssue] {
    if scope.tracker.namedObjects.isEmpty { return [LifetimeIssue.nothingTracked(at: place)] }
    return scope.tracker.goneEntries().map { survivor in
      LifetimeIssue(
        message: "`\(survivor.name)` was gone before \(event.name): what the closure returns does "
          + "not keep it alive, so this shows nothing",
        place: survivor.place)
    }
  }
}

@available(*, unavailable)
extension ReleaseCheck: Sendable {}
