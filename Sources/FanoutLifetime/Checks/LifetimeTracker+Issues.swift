extension LifetimeTracker {
  /// What is still alive at the end of something, for whatever reports it.
  ///
  /// Each tracked object that is alive is an issue, at the place where it was tracked. If there is
  /// none, live subscriptions that were made while the tracker was current are one issue together:
  /// a subject and a sink that nobody cancels keep each other alive, and need no tracked object for
  /// it.
  ///
  /// ```swift
  /// import FanoutLifetime
  ///
  /// final class Player {}
  ///
  /// let tracker = LifetimeTracker()
  /// let player = tracker.track(Player(), "player")
  /// for issue in tracker.issues(outliving: "the song", at: SourcePlace()) { print(issue) }
  /// withExtendedLifetime(player) {}
  /// // Prints:
  /// // `player` outlived the song: nothing that Fanout knows of holds it; look for a cycle of your own, a stored closure, a task or a global
  /// ```
  ///
  /// - Parameters:
  ///   - event: What the objects should not have outlived.
  ///   - place: Where to report live subscriptions; nil not to look for them.
  /// - Returns: The issues, in the order in which the objects were tracked.
  public func issues(outliving event: String, at place: SourcePlace?) -> [LifetimeIssue] {
    let issues = survivingEntries().compactMap { entry in
      entry.reference.object.map { issue(of: $0, entry.survivor, "outlived \(event)") }
    }
    guard issues.isEmpty, let place else { return issues }
    let sources = liveSources
    guard let first = sources.first else { return [] }
    return [subscriptionsIssue(sources.count, first, outliving: event, at: place)]
  }

  /// Whether there are no issues, without asking who holds what.
  package func isClear(allowingSubscriptions: Bool) -> Bool {
    survivingEntries().isEmpty && (allowingSubscriptions || liveSources.isEmpty)
  }

  func issue(of object: AnyObject, _ survivor: Survivor, _ fault: String) -> LifetimeIssue {
    let reason = explanation(of: object).map { "retained by \($0)" }
    return LifetimeIssue(
      message: "`\(survivor.name)` \(fault): \(reason ?? Self.unexplained)", place: survivor.place)
  }

  private func subscriptionsIssue(
    _ count: Int, _ first: AnyObject, outliving event: String, at place: SourcePlace
  ) -> LifetimeIssue {
    var message = count == 1 ? "a subscription" : "\(count) subscriptions"
    message += " outlived \(event), neither cancelled nor completed; alive: \(liveObjects)"
    if let reason = explanation(of: first, atMost: 1) {
      message += "; \(count == 1 ? "it" : "the first of them") is retained by \(reason)"
    }
    return LifetimeIssue(message: message, place: place)
  }

  static var unexplained: String {
    "nothing that Fanout knows of holds it; look for a cycle of your own, a stored closure, a task "
      + "or a global"
  }
}
