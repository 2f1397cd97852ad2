extension Ownership {
  /// Shared publishers and their connections.
  static let sharing: [Fact] = [
    fact("Share", "upstream", "upstream", rule: "O4"),
    fact("Share ShareState", "sharing", "core and subscriber count", part: true),
    fact("ShareState", "upstream", "upstream", rule: "O4"),
    fact("CurrentValue", "origin", "its origin", part: true),
    fact("FollowedValue", "followed", "subject", part: true),
    fact("FollowedValue", "link", "subscription to the upstream", part: true),
    fact("MappedValue", "source", "current value"),
    fact("MappedValue", "transform", "transform"),
    fact("Autoconnect", "upstream", "what it connects", rule: "O4"),
    fact("Autoconnect", "way", "core and subscriber count", part: true),
    fact("CountedCore", "core", "core", part: true),
    fact("CountedCore", "counter", "subscriber count", part: true),
    fact("MakeConnectable", "inner", "multicast", part: true),
    fact("ScopedMulticast", "upstream", "upstream", rule: "O4"),
    fact("ScopedMulticast", "replay", "replay policy", part: true),
    fact("ScopedMulticast", "scope", "scope"),
    fact("Multicast", "upstream", "upstream", rule: "O4"),
    fact("Multicast", "createSubject", "createSubject"),
    fact("Multicast", "target", "core or claims", part: true),
    fact("UpstreamShareCore", "hub", "hub", part: true),
    fact("UpstreamShareCore SubjectClaims", "upstream", "upstream", rule: "O4"),
    fact("SubjectClaims", "createSubject", "createSubject"),
    fact("SubjectClaims", "made", "subject", since: .subscribe, rule: "L5"),
    fact(
      "UpstreamShareCore SubjectClaims ConnectableClaims", "state.current", "connection",
      since: .connect,
      until: [.disconnect, .ownerRelease], rule: "O4"),
    fact("Claim", "claims", "claims", part: true),
    fact("Claim", "connection", "connection"),

    fact(
      "UpstreamConnection", "stage", "body", part: true, until: [.disconnect, .completion],
      rule: "L4"),
    fact("UpstreamConnection.Body", "target", "core or claims", part: true),
    fact("UpstreamConnection.Body", "source", "subscription", since: .connect),

    fact(
      "RelayedSubscription", "stage", "body", part: true, until: [.cancel, .completion], rule: "O2"),
    fact("RelayedSubscription.Body", "downstream", "subscriber"),
    fact("RelayedSubscription.Body", "parent", "publisher"),
    fact("RelayedSubscription.Body", "counter", "subscriber count", part: true),
    fact("RelayedSubscription.Body", "source", "subscription", since: .subscribe),

    fact(
      "CountedSubscription CountedSink DeliveriesSubscription", "counter",
      "subscriber count", .notAtAll),

    fact("Generations", "newest", "newest generation", since: .subscribe, rule: "L8"),
    fact("Generations", "isOver", "what knows whether it is over", part: true),
    fact("Generations", "make", "what makes a generation", part: true),
    fact("Generations", "make.policy", "scheduler of the grace", rule: "L6"),
    fact("GenerationOwner", "publisher", "publisher"),
    fact("GenerationOwner", "generation", "generation", rule: "L8"),

    fact("LingeringCounter", "inner", "subscriber count", part: true, rule: "L7"),
    fact("ThresholdCounter", "inner", "subscriber count", part: true),
    fact("LingeringCounter", "timer", "timer of the grace", part: true, rule: "L6"),
    fact("ScheduledGraceTimer", "scheduler", "scheduler of the grace", rule: "L6"),
    fact("ConnectableClaims ConnectableConnection", "upstream", "upstream"),
    fact(
      "ConnectableConnection", "state.connection", "connection", since: .connect,
      until: [.disconnect, .ownerRelease], rule: "O4"),
  ].flatMap { $0 }
}
