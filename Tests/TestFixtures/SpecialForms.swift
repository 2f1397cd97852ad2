package import FanoutCore
internal import FanoutTestSupport
package import Testing

/// Checks the special form of an operator: its type, and that it delivers the same as the operator of every
/// publisher.
///
/// The compiler chooses the form without an annotation; `general` is the same operator of the erased publisher.
package func expectSpecial<Special: Publisher, General: Publisher>(
  _ special: Special, _ type: Any.Type, as general: General,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(Special.self == type, sourceLocation: sourceLocation)
  #expect(outcome(of: special) == outcome(of: general), sourceLocation: sourceLocation)
  #expect(slowOutcome(of: special) == outcome(of: general), sourceLocation: sourceLocation)
}

/// Checks what a special form delivers where no general form exists to compare it with.
package func expectSpecial<Special: Publisher>(
  _ special: Special, _ type: Any.Type, delivers events: [String],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(Special.self == type, sourceLocation: sourceLocation)
  #expect(outcome(of: special) == ["subscription"] + events, sourceLocation: sourceLocation)
  #expect(slowOutcome(of: special) == ["subscription"] + events, sourceLocation: sourceLocation)
}

private func outcome<P: Publisher>(of publisher: P) -> [String] {
  let subscriber = TestSubscriber<P.Output, P.Failure>()
  publisher.receive(subscriber: subscriber)
  return subscriber.events.map(\.description) + subscriber.violations.map { "\($0)" }
}

/// The same, for a subscriber that requests one value at a time, at first none.
private func slowOutcome<P: Publisher>(of publisher: P) -> [String] {
  let subscriber = TestSubscriber<P.Output, P.Failure>(initialDemand: .none)
  publisher.receive(subscriber: subscriber)
  while subscriber.completion == nil {
    let known = subscriber.events.count
    subscriber.request(.max(1))
    if subscriber.events.count == known { break }
  }
  return subscriber.events.map(\.description) + subscriber.violations.map { "\($0)" }
}
