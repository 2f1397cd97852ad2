extension Ownership {
  /// Shared publishers and their connections.
  static let sharing: [Fact] = [
    fact("Share", "upstream", "upstream", rule: "O4"),
    fact("Share", "inner", "autoconnect", part: true),
    fact("ShareState", "upstream", "upstream", rule: "O4"),
    fact("ShareState", "inner", "autoconnect", part: true),
    fact("CurrentValue", "origin", "its origin", part: true),
    fact("FollowedValue", "followed", "subject", part: true),
    fact("FollowedValue", "link", "subscription to the upstream", part: true),
    fact("MappedValue", "source", "current value"),
    fact("MappedValue", "transform", "transform"),
    fact("Autoconnect", "upstream", "what it connects", rule: "O4"),
    fact("Autoconnect", "counter", "subscriber count", part: true),
    fact("MakeConnectable", "inner", "multicast", part: true),
    fact("ScopedMulticast", "upstream", "upstream", rule: "O4"),
    fact("ScopedMulticast", "replay", "replay policy", part: true),
    fact("ScopedMulticast", "scope", "scope"),
    fact("Multicast", "upstream", "upstream", rule: "O4"),
    fact("Multicast", "createSubject", "createSubject"),
    fact("Multicast", "claims", "claims", part: true),
    fact("Multicast", "made", "subject", since: .subscribe, rule: "L5"),
    fact(
      "ConnectionClaims", "state.current", "connection", since: .connect,
      until: [.disconnect, .ownerRelease], rule: "O4"),
    fact("Claim", "claims", "claims", part: true),
    fact("Claim", "connection", "connection"),

    fact(
      "UpstreamConnection", "stage", "body", part: true, until: [.disconnect, .completion],
      rule: "L4"),
    fact("UpstreamConnection.Body", "upstream", "upstream"),
    fact("UpstreamConnection.Body", "target.subject", "subject"),
    fact("UpstreamConnection.Body", "claims", "claims", part: true),
    fact("UpstreamConnection.Body", "source", "subscription", since: .connect),

    fact(
      "RelayedSubscription", "stage", "body", part: true, until: [.cancel, .completion], rule: "O2"),
    fact("RelayedSubscription.Body", "downstream", "subscriber"),
    fact("RelayedSubscription.Body", "parent", "publisher"),
    fact("RelayedSubscription.Body", "counter", "subscriber count", part: true),
    fact("RelayedSubscription.Body", "source", "subscription", since: .subscribe),

    fact(
      "CountedSubscription CountedSink JoinedSubscription DeliveriesSubscription", "counter",
      "subscriber count", .notAtAll),

    fact("Multicast Autoconnect", "generations", "those that stand in for it", part: true),
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
    fact("MulticastCounter", "multicast", "multicast"),
    fact("ConnectableCounter", "upstream", "upstream"),
    fact(
      "ConnectableCounter", "state.cell", "connection", part: true, since: .connect,
      until: [.disconnect, .completion], rule: "O4"),
    fact(
      "ConnectableCounter.Cell", "state.connection", "connection", since: .connect,
      until: [.disconnect, .ownerRelease], rule: "O4"),
  ].flatMap { $0 }
}
