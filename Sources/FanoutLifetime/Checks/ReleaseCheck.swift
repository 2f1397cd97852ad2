/// A check that objects live up to an event and not longer; it knows no test library.
public struct ReleaseCheck<Owner> {
  /// Holds the owner in one place that no optimiser gives up early.
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
  ///   - event: What is to let go of the objects.
  ///   - place: Where the check is.
  public init(after event: ReleaseEvent<Owner>, at place: SourcePlace) {
    self.event = event
    self.place = place
  }

  /// Builds objects, lets the event happen to the owner, and says what is wrong with who is alive.
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
  /// - Parameter build: Builds the objects, tracks those that the check is about, and returns their
  ///   owner.
  /// - Returns: The issues; none if all is as it should be.
  public func run(_ build: (LifetimeScope) throws -> Owner) rethrows -> [LifetimeIssue] {
    let holder = Holder(try scope.tracker.perform { try build(scope) })
    return withExtendedLifetime((holder, scope)) {
      let early = issuesBefore()
      guard early.isEmpty else { return early }
      scope.tracker.perform { event.act(&holder.owner) }
      return scope.tracker.issues(outliving: event.name, at: nil)
    }
  }

  /// The same for release that comes later than the event.
  ///
  /// - Parameters:
  ///   - limit: How long to wait for it.
  ///   - isolation: The actor on which `build` runs: the caller's.
  ///   - build: Builds the objects, tracks those that the check is about, and returns their owner.
  /// - Returns: The issues; none if all is as it should be.
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

  /// A check of objects that nobody held would pass whatever the event does.
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
