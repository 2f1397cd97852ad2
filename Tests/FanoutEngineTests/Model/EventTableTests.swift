import FanoutEngine
import FanoutTestSupport
import Testing

/// Every event in every state of a hub and of a receiver, against the reference; no thread and no chance.
///
/// In debug builds the hub checks its invariants after each event.
struct EventTableTests {
  /// A state, and the operations that lead to it.
  struct State: Sendable, CustomTestStringConvertible {
    let name: String
    let operations: [Operation]

    var testDescription: String { name }

    init(_ name: String, _ operations: [Operation]) {
      (self.name, self.operations) = (name, operations)
    }
  }

  private static let lagging = attach(asking: 0)
  private static let sink = attach(asking: 1_000_000)

  private static func attach(
    asking credit: Int, at place: Terms.Place? = nil, _ backlog: BacklogKind = .unbounded,
    selects: Bool = false
  ) -> Operation {
    .attach(
      asking: credit,
      on: place.map { Terms(place: $0, backlog: backlog, count: 1, selects: selects) },
      whileTold: [])
  }

  private static let states =
    [
      State("without a receiver", []),
      State("with a replay", [.send, .send, .send]),
      State("with a sink", [sink, .send]),
      State("beside a regular receiver", [.attach(asking: 1_000_000, on: nil, whileTold: [.send])]),
      State("without credit", [lagging]),
      State("with credit", [attach(asking: 2), .send]),
      State("lagging by one value", [lagging, .send]),
      State("lagging by as many as may wait", [lagging, .send, .send]),
      State("lagging by more", [lagging, .send, .send, .send, .send]),
      State("resumed", [lagging, .send, .send, .send, .ask(0, 1)]),
      State("caught up", [lagging, .send, .send, .send, .ask(0, 3)]),
      State("lagging beside a sink", [sink, lagging, .send, .send, .send]),
      State(
        "told of its subscription", [.attach(asking: 1, on: nil, whileTold: [.send, .send, .send])]),
      State("cleared", [.send, .send, .clear, lagging]),
      State("waiting for a start", [attach(asking: 0, at: .nextStart), .send, .send]),
      State("closed", [lagging, .send, .send, .close]),
      State("connected anew", [lagging, .send, .send, .close, .open, .send]),
      State("replaced", [lagging, .send, .open, .send, .send]),
      State("ended", [.send, sink, .finish]),
      State("lagging behind the end", [lagging, .send, .send, .finish]),
      State("left", [lagging, .send, .cancel(0)]),
      State(
        "with old values", [attach(asking: 0, at: .live, .dropsOld), .send, .pass, .send, .pass]),
    ]
    + BacklogKind.allCases.flatMap { backlog in
      [false, true].map { selects in
        State(
          "with a backlog of its own, \(backlog)\(selects ? ", that takes only some" : "")",
          [attach(asking: 0, at: .replay, backlog, selects: selects), .send, .send, .send])
      }
    }

  private static let events: [Operation] = [
    .send, .sendLate, .finish, .ask(0, 1), .ask(0, 100), .cancel(0), .open, .close, .clear, sink,
    lagging, attach(asking: 1, at: .live, .dropsOldest), attach(asking: 0, at: .after, .rejoins),
    attach(asking: 0, at: .nextStart, .ends), attach(asking: 1, at: .last, .dropsNewest),
    attach(asking: 0, at: .last, .rejoins, selects: true),
    attach(asking: 1, at: .after, .conflates, selects: true), .pass,
  ]

  /// What shows the state that an event has led to.
  private static let rest: [Operation] = [
    .send, .ask(0, 1), .send, .ask(1, 2), .send, .ask(0, 100), .ask(1, 100), .finish, .ask(0, 1),
  ]

  @Test(arguments: states)
  func `B1 to B4, B6, D1 to D10, D16: every event does what the reference does`(state: State) {
    for kind in RetentionKind.allCases {
      for backlog in [nil] + BacklogKind.allCases.map(Optional.some) {
        // A current value has a policy of its own for slow receivers.
        if kind == .newestOvertaken, backlog != nil { continue }
        for event in Self.events { compare(kind, backlog, state, event) }
      }
    }
  }

  private func compare(
    _ kind: RetentionKind, _ backlog: BacklogKind?, _ state: State, _ event: Operation
  ) {
    let hub = HubWorld(kind, backlog, seed: 1, budget: 0)
    let reference = ReferenceWorld(kind, backlog, seed: 1, budget: 0)
    for operation in state.operations + [event] + Self.rest {
      hub.perform(operation)
      reference.perform(operation)
    }
    let missed = hub.missed
    hub.tearDown()
    guard
      hub.logs != reference.logs || missed != reference.missed
        || hub.requested.reduce(0, +) != reference.requested.reduce(0, +)
    else { return }
    Issue.record(
      """
      \(kind), \(backlog.map { "\($0)" } ?? "no backlog"): \(event)
      hub: \(hub.logs) \(hub.requested) missed \(missed)
      reference: \(reference.logs) \(reference.requested) missed \(reference.missed)
      """)
  }
}
