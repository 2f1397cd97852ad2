internal import Fanout
internal import FanoutEngine

extension LifetimeTracker {
  /// Returns an issue for each object that outlived an event.
  ///
  /// Each tracked object that is alive is an issue, at the place where it was tracked. If there is
  /// none, the live subscriptions made while the tracker was current form one issue together: a
  /// subject and a sink that is never cancelled keep each other alive, without any tracked object.
  ///
  /// ```swift
  /// import FanoutLifetime
  ///
  /// final class Player {}
  ///
  /// let tracker = LifetimeTracker()
  /// let player = tracker.track(Player(), "player")
  /// for issue in tracker.issues(outliving: "the song", at: SourcePlace()) {
  ///   for part in "\(issue)".split(separator: "; ") { print(part) }
  /// }
  /// withExtendedLifetime(player) {}
  /// // Prints:
  /// // `player` outlived the song: nothing that Fanout knows of holds it
  /// // look for a cycle of your own, a stored closure, a task or a global
  /// ```
  ///
  /// - Parameters:
  ///   - event: The event that the objects should not have outlived.
  ///   - place: The place at which to report live subscriptions; nil to ignore them.
  /// - Returns: The issues, in the order in which the objects were tracked.
  public func issues(outliving event: String, at place: SourcePlace?) -> [LifetimeIssue] {
    let entries = survivingEntries()
    if !entries.isEmpty {
      let report = LeakReport(self)
      let issues = entries.compactMap { entry in
        entry.reference.object.map { issue(of: $0, entry.survivor, "outlived \(event)", report) }
      }
      guard issues.isEmpty else { return issues }
    }
    guard let place else { return [] }
    let sources = liveSources
    return sources.isEmpty ? [] : [sourcesIssue(sources, outliving: event, at: place)]
  }

  /// Returns whether there are no issues, without a search for holders.
  package func isClear(allowingSubscriptions: Bool) -> Bool {
    survivingEntries().isEmpty && (allowingSubscriptions || liveSources.isEmpty)
  }

  func issue(
    of object: AnyObject, _ survivor: Survivor, _ fault: String, _ report: LeakReport
  ) -> LifetimeIssue {
    LifetimeIssue(
      message: "`\(survivor.name)` \(fault): \(report.reason(for: object))", place: survivor.place)
  }

  private func sourcesIssue(
    _ sources: [AnyObject], outliving event: String, at place: SourcePlace
  ) -> LifetimeIssue {
    var message = Self.summary(of: sources)
    message += " outlived \(event), neither cancelled nor completed; alive: \(liveObjects)"
    if let first = sources.first, let holder = LeakReport(self).holder(ofSource: first) {
      message += "; \(sources.count == 1 ? "it" : "the first of them") is retained by \(holder)"
    }
    return LifetimeIssue(message: message, place: place)
  }

  /// Returns a summary of subscriptions and loops in words.
  private static func summary(of sources: [AnyObject]) -> String {
    let loops = sources.compactMap { $0 as? any ValueLoop }
    guard let first = loops.first, loops.count == sources.count else {
      return sources.count == 1 ? "a subscription" : "\(sources.count) subscriptions"
    }
    let call = type(of: first).call
    return sources.count == 1
      ? "a loop over `\(call)`" : "\(sources.count) loops over `\(call)`"
  }
}

/// A problem with the lifetime of an object.
public struct LifetimeIssue: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem and the holder of the object.
  public let message: String
  /// The place where the object was tracked, or the place of the check if the issue is not about
  /// one object.
  public let place: SourcePlace

  /// Makes an issue of your own.
  ///
  /// - Parameters:
  ///   - message: The problem.
  ///   - place: The place of the problem.
  public init(message: String, place: SourcePlace) {
    self.message = message
    self.place = place
  }

  /// The message.
  public var description: String { message }
}

extension LifetimeIssue {
  static func nothingTracked(at place: SourcePlace) -> LifetimeIssue {
    LifetimeIssue(
      message: "nothing is tracked, so this shows nothing: call scope.track(object, \"name\")",
      place: place)
  }
}
