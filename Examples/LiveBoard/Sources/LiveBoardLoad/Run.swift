import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// One run: the boards, the event streams, the writers, and the report.
struct Run {
  let options: Options
  let service: ServiceProcess
  private let readers: any EventLoop
  private let writers: any EventLoop
  private let arrivals: NIOLoopBoundBox<Arrivals>

  init(options: Options, service: ServiceProcess) {
    self.options = options
    self.service = service
    // Few threads, because the service needs the processors.
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    readers = group.next()
    writers = group.next()
    arrivals = NIOLoopBoundBox.makeBoxSendingValue(Arrivals(), eventLoop: readers)
  }

  /// Measures, prints the report, and returns whether the figures are as asked for.
  func measure() async throws -> Bool {
    print(
      """
      LiveBoard load: \(options.streams) event streams on \(options.boards) boards, \
      \(options.stalled) of them don't read; \(options.changes) changes a second for \
      \(options.seconds) s \(options.passed.joined(separator: " "))
      """)
    let items = try await makeBoards()
    try await openStreams()
    print("all streams are live; resident memory \(text(service.memory)) MiB")

    async let written = write(to: items)
    let memory = try await watchMemory()
    let writes = try await written
    try await Task.sleep(for: .seconds(2))
    return try await report(memory, writes)
  }

  /// Makes the boards with their items; returns the paths of the items, one board after the other in turn.
  private func makeBoards() async throws -> [String] {
    let connection = try await Connection(port: service.port, on: writers)
    var items: [[String]] = []
    for board in 0..<options.boards {
      let id = name(of: board)
      try await connection.send(.POST, "/api/boards", #"{"id":"\#(id)","title":"Load \#(board)"}"#)
      var paths: [String] = []
      for item in 0..<options.items {
        let answer = try await connection.send(
          .POST, "/api/boards/\(id)/items", #"{"text":"Item \#(item)","column":"todo"}"#)
        paths.append("/api/boards/\(id)/items/\(answer["id"] ?? "")")
      }
      items.append(paths)
    }
    await connection.close()
    return (0..<options.items).flatMap { item in items.map { $0[item] } }
  }

  private func name(of board: Int) -> String { "load-\(board)" }

  private func openStreams() async throws {
    let numbers = Array(0..<options.streams)
    for start in stride(from: 0, to: numbers.count, by: 50) {
      try await withThrowingTaskGroup { group in
        for number in numbers[start..<min(start + 50, numbers.count)] {
          group.addTask { try await openStream(number) }
        }
        try await group.waitForAll()
      }
    }
    for _ in 0..<300 {
      let (live, ended) = try await onLoop { ($0.live, $0.ended) }
      if live == options.streams { return }
      if ended > 0 { throw ServiceProcess.StartError(description: "\(ended) streams ended.") }
      try await Task.sleep(for: .milliseconds(100))
    }
    throw ServiceProcess.StartError(description: "Not all streams became live in 30 s.")
  }

  private func openStream(_ number: Int) async throws {
    let isStalled = number < options.stalled
    let board = name(of: number % options.boards)
    let arrivals = arrivals
    _ = try await ClientBootstrap(group: readers)
      .channelOption(.socketOption(.so_rcvbuf), value: isStalled ? 4_096 : 65_536)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let sync = channel.pipeline.syncOperations
          try sync.addHTTPClientHandlers()
          try sync.addHandler(
            EventStreamHandler(
              number: number, board: board, isStalled: isStalled, arrivals: arrivals.value))
        }
      }
      .connect(host: "127.0.0.1", port: service.port).get()
  }

  struct Writes: Sendable {
    var latencies = Latencies()
    var refused = 0
    var seconds = 0.0
    /// The time of the last change of each board.
    var newest: [Int: UInt64] = [:]
  }

  /// Writes at the rate; each writer waits for an answer before its next change.
  private func write(to items: [String]) async throws -> Writes {
    let start = ContinuousClock.now
    let count = options.changes * options.seconds
    let padding = String(repeating: ".", count: max(options.text - 20, 0))
    var writes = try await withThrowingTaskGroup(of: Writes.self) { group in
      for writer in 0..<options.writers {
        group.addTask {
          let connection = try await Connection(port: service.port, on: writers)
          var writes = Writes()
          for number in stride(from: writer, to: count, by: options.writers) {
            let due = start + .seconds(1) * number / options.changes
            if due > .now { try await Task.sleep(until: due) }
            let stamp = NIODeadline.now()
            do {
              try await connection.send(
                .PATCH, items[number % items.count],
                #"{"text":"@\#(stamp.uptimeNanoseconds) \#(padding)"}"#)
              writes.latencies.add(UInt64((NIODeadline.now() - stamp).nanoseconds))
              writes.newest[number % options.boards] = stamp.uptimeNanoseconds
            } catch is Connection.Refused { writes.refused += 1 }
          }
          await connection.close()
          return writes
        }
      }
      var all = Writes()
      for try await writes in group {
        all.latencies.add(writes.latencies)
        all.refused += writes.refused
        all.newest.merge(writes.newest, uniquingKeysWith: max)
      }
      return all
    }
    writes.seconds = (ContinuousClock.now - start) / .seconds(1)
    return writes
  }

  /// The samples of one run, one each second.
  struct Samples: Sendable {
    var memory: [Double] = []
    var processor = 0.0
  }

  private func watchMemory() async throws -> Samples {
    var samples = Samples()
    let used = service.processorTime
    let start = ContinuousClock.now
    for second in 1...options.seconds {
      try await Task.sleep(until: start + .seconds(second))
      samples.memory.append(service.memory)
      if second.isMultiple(of: 10) {
        let count = try await onLoop { $0.latencies.count }
        print("\(second) s: \(text(service.memory)) MiB, \(count) changes received")
      }
    }
    samples.processor = (service.processorTime - used) / Double(options.seconds)
    return samples
  }

  private func onLoop<Value: Sendable>(
    _ body: @escaping @Sendable (Arrivals) -> Value
  ) async throws -> Value {
    let arrivals = arrivals
    return try await readers.submit { body(arrivals.value) }.get()
  }

  private func report(_ samples: Samples, _ writes: Writes) async throws -> Bool {
    let (latencies, ended, missed) = try await onLoop { ($0.latencies, $0.ended, $0.missedTold) }
    let (newest, closed) = try await onLoop { ($0.newest, $0.closed) }
    let reading = options.streams - options.stalled
    // The streams are spread evenly, and so are the changes.
    let expected = writes.latencies.count * reading / options.boards
    let early = samples.memory.dropFirst(samples.memory.count / 6)
    let (low, high) = (early.min() ?? 0, early.max() ?? 0)
    let last = samples.memory.suffix(max(samples.memory.count / 6, 1))
    let first = early.prefix(last.count)
    let growth = last.reduce(0, +) / Double(last.count) - first.reduce(0, +) / Double(first.count)
    let rate = Double(writes.latencies.count) / writes.seconds
    print(
      """

      changes written   \(writes.latencies.count), \(text(rate)) a second, \(writes.refused) refused
      answer to a write \(writes.latencies.summary)
      changes received  \(latencies.count) of about \(expected); missed told \(missed); streams ended \(ended)
      stalled streams   \(options.stalled), of which the service has closed \(closed)
      from sent to received \(latencies.summary)
      resident memory   \(text(low)) to \(text(high)) MiB after the first sixth; grew by \(text(growth)) MiB
      processor         \(text(samples.processor * 100)) % of one, the service alone
      """)
    let isFast = latencies.milliseconds(below: 0.99) <= 250
    let isFlat = growth <= max(4, low / 10)
    // A change may be left out if its item has changed again, but the last one may not.
    let behind = (options.stalled..<options.streams).count {
      newest[$0] ?? 0 < writes.newest[$0 % options.boards] ?? 0
    }
    let isWhole = behind == 0 && ended == 0 && writes.refused == 0
    print("p99 at most 250 ms: \(yes(isFast)); memory flat: \(yes(isFlat))")
    print("all streams have the last change: \(yes(isWhole))")
    return isFast && isFlat && isWhole
  }

  private func yes(_ isSo: Bool) -> String { isSo ? "yes" : "NO" }
}
