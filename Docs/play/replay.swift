// Plays addresses of play.html with the library, and prints what each event does.
//
// Docs/tools/check-play compiles it, and compares what it prints with the lines that `play` in
// play.html makes. It takes one address a line; an empty line ends each story.

import Fanout
import FanoutTestSupport

struct Broken: Error {}

struct Frame: Sendable, CustomStringConvertible {
  let number: Int
  let isKeyframe: Bool
  var description: String { isKeyframe ? "\(number)k" : "\(number)" }
}

/// What each line of the picture has had from one event.
var heard: [Character: [String]] = [:]

/// A: it sends what is asked for, and begins anew when it is subscribed to again.
final class Source: Publisher {
  typealias Output = Frame
  typealias Failure = Broken

  private(set) var feed: Feed?
  private(set) var ending = ""
  private var isOver = false
  private(set) var newest = 0

  func receive<S: Subscriber>(subscriber: S) where S.Input == Frame, S.Failure == Broken {
    MainActor.assumeIsolated { heard["A", default: []].append("connected") }
    isOver = false
    let feed = Feed(AnySubscriber(subscriber))
    self.feed = feed
    subscriber.receive(subscription: feed)
  }

  @MainActor func send(isKeyframe: Bool) {
    guard !isOver else { return }
    let receiver = feed?.receiver
    if receiver != nil, feed?.demand == Subscribers.Demand.none {
      heard["A", default: []].append("waits")
      return
    }
    newest += 1
    let frame = Frame(number: newest, isKeyframe: isKeyframe)
    heard["A", default: []].append(receiver == nil ? "unheard \(frame)" : "\(frame)")
    guard let receiver, let feed else { return }
    feed.demand -= 1
    feed.demand += receiver.receive(frame)
  }

  @MainActor func end(_ completion: Subscribers.Completion<Broken>, _ word: String) {
    guard !isOver else { return }
    (isOver, ending) = (true, word)
    heard["A", default: []].append(word)
    let receiver = feed?.receiver
    feed?.receiver = nil
    receiver?.receive(completion: completion)
  }
}

final class Feed: Subscription {
  fileprivate(set) var receiver: AnySubscriber<Frame, Broken>?
  fileprivate(set) var demand = Subscribers.Demand.none

  init(_ receiver: AnySubscriber<Frame, Broken>) { self.receiver = receiver }

  func request(_ more: Subscribers.Demand) { demand += more }

  func cancel() {
    guard receiver != nil else { return }
    receiver = nil
    MainActor.assumeIsolated { heard["A", default: []].append("disconnected") }
  }
}

/// One subscriber of the picture: C and D take everything, and E as much as it is told to.
@MainActor final class Line {
  let name: Character
  private var everything: TestSubscriber<Delivery<Frame>, Broken>?
  private var slow: TestSubscriber<Frame, Broken>?
  /// What it has said of its subscriber so far, and the newest value when that one joined.
  private var told = 0
  private var before = 0

  init(_ name: Character) { self.name = name }

  var isThere: Bool {
    if let everything { return everything.completion == nil }
    return slow.map { $0.completion == nil } ?? false
  }

  func join(_ shared: some SharedPublisher<Frame, Broken>, newest: Int) {
    (everything, slow, told, before) = (nil, nil, 0, newest)
    let joining = shared.joining(label: String(name))
    if name == "E" {
      let subscriber = TestSubscriber<Frame, Broken>(initialDemand: .none)
      slow = subscriber
      joining.subscribe(subscriber)
    } else {
      let subscriber = TestSubscriber<Delivery<Frame>, Broken>()
      everything = subscriber
      joining.deliveries().subscribe(subscriber)
    }
  }

  func leave() {
    everything?.cancel()
    slow?.cancel()
    (everything, slow) = (nil, nil)
    heard[name, default: []].append("leaves")
  }

  func take() { if isThere { slow?.request(.max(1)) } }

  /// Adds what has come since it was asked last.
  func listen() {
    guard let violations = everything?.violations ?? slow?.violations else { return }
    precondition(violations.isEmpty, "\(violations)")
    let all =
      everything.map { $0.events.flatMap { words(of: $0, sayDelivery) } }
      ?? slow.map { $0.events.flatMap { words(of: $0, sayFrame) } } ?? []
    heard[name, default: []] += all[told...]
    told = all.count
  }

  private func words<Value>(
    of event: RecordedEvent<Value, Broken>, _ say: (Value) -> [String]
  ) -> [String] {
    switch event {
    case .subscription: ["joins"]
    case .value(let value): say(value)
    case .completion(.finished): ["ends"]
    case .completion(.failure): ["fails"]
    }
  }

  /// A frame of E, which is not told whether it is replayed: it is if it was sent before E joined.
  private func sayFrame(_ frame: Frame) -> [String] {
    [frame.number > before ? "\(frame)" : "replayed \(frame)"]
  }

  private func sayDelivery(_ delivery: Delivery<Frame>) -> [String] {
    switch delivery {
    case .replayed(let frame): ["replayed \(frame)"]
    case .live(let frame): ["\(frame)"]
    case .missed(let count): ["misses \(count.map(String.init) ?? "?")"]
    case .caughtUp: []
    }
  }
}

/// The share that an address asks for.
@MainActor func share(
  _ source: Source, _ choices: [Substring], clock: TestScheduler
) -> Publishers.Share<Source> {
  var replay = Replay<Frame>.none
  var disconnect = Disconnect.whenIdle
  var restart: Restart = []
  var backlog: Backlog<Frame, Broken>?
  for choice in choices {
    switch choice {
    case "none": replay = .none
    case "latest": replay = .latest
    case "last2": replay = .last(2)
    case "all": replay = .all
    case "keyframe": replay = .sinceKeyframe { $0.isKeyframe }
    case "5s": disconnect = .whenIdle(for: .seconds(5), scheduler: clock)
    case "released": disconnect = .whenReleased
    case "failure": restart.insert(.afterFailure)
    case "finish": restart.insert(.afterFinish)
    case "unbounded": backlog = .unbounded
    case "oldest": backlog = .size(2, whenFull: .dropOldest)
    case "newest": backlog = .size(2, whenFull: .dropNewest)
    case "fail": backlog = .size(2, whenFull: .customError { Broken() })
    case "rejoin": backlog = .size(2, whenFull: .rejoin)
    case "wait": backlog = .size(2, whenFull: .wait)
    default: fatalError("no choice is called \(choice)")
    }
  }
  return source.share(replay: replay, disconnect: disconnect, restart: restart, backlog: backlog)
}

@MainActor func play(_ address: String) {
  let parts = address.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  let (source, clock) = (Source(), TestScheduler())
  let lines: [Character: Line] = ["c": Line("C"), "d": Line("D"), "e": Line("E")]
  let choices = parts[0].split(separator: ",")
  var shared: Publishers.Share<Source>? = share(source, choices, clock: clock)
  var sent = 0
  // From the first look on the subscribers have accounts.
  _ = shared?.status
  for (index, event) in parts[1].enumerated() {
    heard = [:]
    switch event {
    case "s", "k": source.send(isKeyframe: event == "k")
    case "c", "d", "e":
      guard let line = lines[event] else { continue }
      if line.isThere { line.leave() } else if let shared { line.join(shared, newest: sent) }
    case "t": lines["e"]?.take()
    case "5": clock.advance(by: .seconds(5))
    case "f": source.end(.finished, "ends")
    case "x": source.end(.failure(Broken()), "fails")
    case "r": shared = nil
    default: fatalError("no event is called \(event)")
    }
    for line in lines.values { line.listen() }
    sent = source.newest
    print("\(index + 1) \(event): \(brought())\(state(of: shared, source))")
  }
}

/// What an event has brought.
@MainActor func brought() -> String {
  "ACDE".map { name in
    guard let words = heard[name], !words.isEmpty else { return "" }
    return "\(name) \(words.joined(separator: ", ")); "
  }.joined()
}

/// The state after an event.
@MainActor func state(of shared: Publishers.Share<Source>?, _ source: Source) -> String {
  guard let shared else { return "released" }
  let status = shared.status
  let demand = source.feed?.demand
  let asked = demand == .unlimited ? "all" : "\(demand?.max ?? 0)"
  let connection =
    status.isEnded ? source.ending : status.isConnected ? "asked for \(asked)" : "not connected"
  let replay = shared.replayed.map(\.description).joined(separator: " ")
  let subscribers = status.subscribers.map { one in
    let counts = [("waiting", one.waiting), ("missed", one.missed), ("rejoins", one.rejoins)]
    return "; \(one.label ?? "")"
      + counts.map { word, count in count == 0 ? "" : " \(word) \(count)" }.joined()
  }
  return "\(connection); replay [\(replay)]\(subscribers.joined())"
}

while let address = readLine() {
  play(address)
  print()
}
