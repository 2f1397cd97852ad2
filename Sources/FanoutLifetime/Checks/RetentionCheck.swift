/// A check that one owner alone keeps an object alive, independent of any test library.
public struct RetentionCheck: Sendable {
  private let name: String
  private let owner: String
  private let place: SourcePlace

  /// Makes a check.
  ///
  /// - Parameters:
  ///   - name: The name under which the object is tracked.
  ///   - owner: The name under which its owner is held.
  ///   - place: The place of the check.
  public init(_ name: String, by owner: String, at place: SourcePlace) {
    self.name = name
    self.owner = owner
    self.place = place
  }

  /// Builds objects, drops all held values but the owner, then the owner, and returns the issues.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutLifetime
  ///
  /// final class Player: Sendable {
  ///   func play(_ track: Int) {}
  /// }
  ///
  /// let check = RetentionCheck("player", by: "the list", at: SourcePlace())
  /// let issues = check.run { scope in
  ///   let tracks = scope.hold(PassthroughSubject<Int, Never>(), "the list")
  ///   let player = scope.track(Player(), "player")
  ///   scope.hold(tracks.sink { player.play($0) }, "the cancellable")
  /// }
  /// for issue in issues { print(issue) }
  /// // Prints:
  /// // `player` is not kept alive by `the list`: with nothing else held, it is gone
  /// ```
  ///
  /// - Parameter build: The closure that builds the objects, tracks the one that the check is
  ///   about, and holds its owner and every other needed value. Its result is dropped.
  /// - Returns: The issues; none if the lifetime is right.
  public func run<Ignored>(
    _ build: (LifetimeScope) throws -> Ignored
  ) rethrows -> [LifetimeIssue] {
    let scope = LifetimeScope()
    try scope.tracker.perform { _ = try build(scope) }
    guard let entry = scope.tracker.entry(named: name) else { return [unknown("tracked", name)] }
    guard scope.isHolding(owner) else { return [unknown("held", owner)] }
    guard scope.tracker.namedObjects.count(where: { $0.name == name }) == 1 else {
      return [
        LifetimeIssue(
          message: "several objects are tracked under the name `\(name)`: give each its own",
          place: place)
      ]
    }
    let survivor = entry.survivor
    scope.tracker.perform { scope.drop { $0.name != owner } }
    guard entry.reference.isAlive else {
      let fault = "is not kept alive by `\(owner)`: with nothing else held, it is gone"
      return [LifetimeIssue(message: "`\(name)` \(fault)", place: survivor.place)]
    }
    scope.tracker.perform { scope.drop { _ in true } }
    guard let object = entry.reference.object else { return [] }
    let report = LeakReport(scope.tracker)
    return [scope.tracker.issue(of: object, survivor, "outlived `\(owner)`", report)]
  }

  private func unknown(_ verb: String, _ name: String) -> LifetimeIssue {
    let call = verb == "held" ? "hold" : "track"
    return LifetimeIssue(
      message: "nothing is \(verb) under the name `\(name)`: call scope.\(call)(…, \"\(name)\")",
      place: place)
  }
}
