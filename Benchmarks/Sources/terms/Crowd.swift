import Fanout
import Foundation

/// A kilobyte, and when it was sent.
struct Message: Sendable {
  let sentAt: UInt64
  let bytes: [UInt8]

  init() {
    bytes = [UInt8](repeating: 7, count: 1000)
    sentAt = now
  }
}

/// Many loops over one share of messages, some of which take nothing.
struct Crowd {
  enum Terms: String, CaseIterable {
    case cost = ".limit(.cost(64 kB))"
    case waitAtMost = ".wait(atMost: .seconds(1))"
  }

  let loops: Int
  let seconds: Int
  let rate: Int

  struct Result {
    let percentile: Double
    let early: Int
    let late: Int
    let received: Int
  }

  private func backlog(_ terms: Terms) -> Backlog<Message, Never> {
    switch terms {
    case .cost: .limit(.cost(64_000) { $0.bytes.count }, whenFull: .dropOldest)
    case .waitAtMost: .size(64, whenFull: .wait(atMost: .seconds(1), then: .dropOldest))
    }
  }

  /// Sends for some seconds, and returns what the loops that take all have seen.
  func run(_ terms: Terms, stalled: Int) async -> Result {
    let broadcast = Broadcast<Message, Never>(backlog: backlog(terms))
    let latencies = Latencies()
    let stuck = (0..<stalled).map { _ in broadcast.values.makeAsyncIterator() }
    let tasks = (0..<loops).map { _ in
      let values = broadcast.values
      return Task {
        var counts = Latencies.none
        for await message in values {
          counts[Latencies.place(of: now - message.sentAt)] += 1
        }
        latencies.add(counts)
      }
    }
    try? await Task.sleep(for: .milliseconds(200))
    var sizes: [Int] = []
    let start = ContinuousClock.now
    for number in 0..<seconds * rate {
      try? await Task.sleep(
        until: start + .nanoseconds(number * 1_000_000_000 / rate), tolerance: .zero)
      if terms == .cost { broadcast.yield(Message()) } else { await broadcast.send(Message()) }
      if number % rate == 0 { sizes.append(Memory.resident) }
    }
    broadcast.finish()
    for task in tasks { await task.value }
    withExtendedLifetime(stuck) {}
    func mean(_ part: ArraySlice<Int>) -> Int { part.reduce(0, +) / max(part.count, 1) }
    return Result(
      percentile: latencies.percentile(0.99),
      early: mean(sizes.dropFirst(sizes.count / 4).prefix(sizes.count / 4)),
      late: mean(sizes.suffix(sizes.count / 4)), received: latencies.count)
  }
}
