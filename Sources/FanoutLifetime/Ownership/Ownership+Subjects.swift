extension Ownership {
  private static let allSubjects = "PassthroughSubject CurrentValueSubject ReplaySubject"

  /// Subjects, and the hub inside each.
  static let subjects: [Fact] = [
    fact(allSubjects, "hub", "its hub", part: true),
    fact(allSubjects, "feeds", "its upstreams", part: true),
    fact(
      "UpstreamList", "state.unasked", "upstream", since: .subscribe,
      until: [.request, .completion, .ownerRelease]),
    fact(
      "UpstreamList", "state.asked", "upstream", since: .request,
      until: [.completion, .ownerRelease]),

    fact(
      "Hub", "slots", "subscription", since: .subscribe, until: [.cancel, .completion], rule: "O3"),
    fact(
      "Hub", "log", "value", since: .send, until: [.eviction, .disconnect, .ownerRelease],
      rule: "O6"),
    fact(
      "Hub", "newest", "value", since: .send,
      until: [.eviction, .delivery, .disconnect, .completion, .ownerRelease], rule: "O6"),
    fact(
      "Hub", "cache", "cache", part: true, since: .connect, until: [.disconnect, .ownerRelease]),
    fact(
      "Hub", "cache.kept", "cached", since: .send, until: [.disconnect, .ownerRelease],
      rule: "L2"),
    fact("Hub", "end", "terminal", since: .completion, rule: "L3"),
    fact("Hub", "isKeyframe", "isKeyframe"),
    fact("Hub", "makeCache", "makeCache"),
    fact("Hub", "cost", "cost of a value"),
    fact("Hub", "makeHeaders", "what makes the headers"),
    fact(
      "Hub", "starting.headers", "headers", part: true, since: .connect,
      until: [.disconnect, .ownerRelease]),
    fact(
      "Hub", "starting.headers.kept", "header", since: .send,
      until: [.eviction, .disconnect, .ownerRelease], rule: "L2"),
    fact("Hub", "startRequests", "requests for a start", part: true),
    fact("StartRequests", "request", "closure of requesting(every:)"),
    fact("StartRequests", "schedule", "scheduler of the requests", rule: "T1"),
    fact("Hub", "limits", "limits of backlogs", part: true),
    fact(
      "Hub", "limits.upstream", "upstream", since: .connect,
      until: [.disconnect, .completion], rule: "B6"),
    fact("BacklogLimits", "policy.makeEnd", "closure of .customError"),

    fact("Hub", "inbox.newest", "value", until: [.eviction, .ownerRelease], rule: "D17"),
    fact("Hub", "inbox.work", "value that waits", since: .send, until: [.delivery], rule: "D4"),
    fact(
      "Hub", "inbox.attention", "subscription that waits", since: .request, until: [.delivery],
      rule: "O2"
    ),
    fact("Hub", "batch", "value that waits", since: .send, until: [.delivery], rule: "D4"),
    fact("Hub", "due", "subscription that waits", since: .request, until: [.delivery], rule: "D3"),
    fact("Hub", "displaced", "value that waits", since: .send, until: [.delivery], rule: "D16"),
  ].flatMap { $0 }
}
