import CoreMetrics
import Fanout
import Synchronization

/// The instruments of the service.
struct Instruments: Sendable {
  let streams: Meter
  let observed: Meter
  let waiting: Meter
  let joined: Counter
  let left: Counter
  let readAgain: Counter
  let connections: Counter
  let resets: Counter
  let snapshots: Counter
  let snapshotsMade: Counter
  let historyReads: Counter
  let told: Counter
  let writes: Counter
  let refused: Counter
  let late: Counter
  let stalled: Counter
  let snapshotsWithdrawn: Counter
  let boardsRemoved: Counter
  let unreadable: Counter

  init(factory: any MetricsFactory) {
    func counter(_ label: String) -> Counter {
      let counter = Counter(label: "liveboard_\(label)_total", factory: factory)
      counter.increment(by: 0)
      return counter
    }
    func gauge(_ label: String) -> Meter {
      let meter = Meter(label: "liveboard_\(label)", factory: factory)
      meter.set(0)
      return meter
    }
    streams = gauge("streams")
    observed = gauge("observed_boards")
    waiting = gauge("waiting_batches")
    joined = counter("stream_joined")
    left = counter("stream_left")
    readAgain = counter("batches_read_again")
    connections = counter("board_connections")
    resets = counter("board_resets")
    snapshots = counter("snapshots_sent")
    snapshotsMade = counter("snapshots_made")
    historyReads = counter("history_reads")
    told = counter("missed_told")
    writes = counter("changes_written")
    refused = counter("requests_refused")
    late = counter("requests_late")
    stalled = counter("connections_stalled")
    snapshotsWithdrawn = counter("snapshots_withdrawn")
    boardsRemoved = counter("unused_boards_removed")
    unreadable = counter("entries_unreadable")
  }
}

/// The observer of the share of one board: its numbers go to the instruments.
final class BoardMetrics: SharingObserver {
  private let instruments: Instruments
  /// The number of batches that wait for each slow stream.
  private let waiting = Mutex<[Int: Int]>([:])

  init(_ instruments: Instruments) { self.instruments = instruments }

  func connected(_ connection: Int) {
    instruments.connections.increment()
    instruments.observed.increment()
  }

  func ended(_ connection: Int, by end: ConnectionEnd) {
    instruments.observed.decrement()
    if case .failed = end { instruments.resets.increment() }
  }

  func joined(_ subscriber: ObservedSubscriber) {
    instruments.joined.increment()
    instruments.streams.increment()
  }

  func left(_ subscriber: ObservedSubscriber) {
    instruments.left.increment()
    instruments.streams.decrement()
    waiting(0, for: subscriber)
  }

  /// What a backlog drops is no loss: the stream gets it from the database.
  func missed(_ count: Int, by subscriber: ObservedSubscriber) {
    instruments.readAgain.increment(by: count)
  }

  func waiting(_ count: Int, for subscriber: ObservedSubscriber) {
    let change = waiting.withLock { waiting in
      let old =
        (count == 0 ? waiting.removeValue(forKey: subscriber.id) : waiting[subscriber.id]) ?? 0
      if count > 0 { waiting[subscriber.id] = count }
      return count - old
    }
    instruments.waiting.increment(by: Double(change))
  }
}
