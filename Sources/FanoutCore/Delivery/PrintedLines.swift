// `@unchecked Sendable` invariant: `stream`, marked `@exclusivity(unchecked)`, is reached only by
// the holder of `drain`; everything else is a constant or under the lock.

package import FanoutEngine

/// A writer of lines, one at a time and without a lock.
///
/// A call that finds a line being written leaves its own line to the writing thread. That thread
/// may be the caller's own, further up the stack.
package final class PrintedLines: @unchecked Sendable {
  private let prefix: String
  private let waiting = Lock<[String]>([])
  package let drain = Drain()
  /// The user's stream, or nil for standard output.
  @exclusivity(unchecked) package private(set) var stream: (any TextOutputStream & Sendable)?

  init(prefix: String, stream: (any TextOutputStream & Sendable)?) {
    self.prefix = prefix.isEmpty ? "" : "\(prefix): "
    self.stream = stream
    noteCreation(of: self, isPart: true)
  }

  /// Writes a line, or leaves it to the thread that writes.
  func print(_ text: String) {
    let line = prefix.isEmpty ? text : prefix + text
    if drain.tryEnter() {
      write(line)
      if !drain.tryLeave() { runOut() }
    } else {
      waiting.withLock { $0.append(line) }
      if drain.announce(.queued) { runOut() }
    }
  }

  /// Writes the waiting lines until there are none; the caller holds the drain.
  package func runOut() {
    drain.run { _ in
      let lines = waiting.withLock { waiting in
        let lines = waiting
        waiting = []
        return lines
      }
      lines.forEach(write)
      return .done([])
    }
  }

  func print(request demand: Subscribers.Demand, note: String = "") {
    print("request " + (demand.max.map { "max: (\($0))" } ?? "unlimited") + note)
  }

  func print<Failure>(_ completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: print("receive finished")
    case .failure(let error): print("receive error: (\(error))")
    }
  }

  private func write(_ line: String) {
    if stream == nil {
      Swift.print(line)
    } else {
      // As `print(_:to:)` writes it, without an array of `Any` and the casts that find out what it
      // holds.
      stream?.write(line)
      stream?.write("\n")
    }
  }
}
