/// A door that is opened once, and that tasks wait at without holding a thread.
public struct AsyncGate: Sendable {
  private let stream: AsyncStream<Never>
  private let door: AsyncStream<Never>.Continuation

  /// Makes a closed gate.
  public init() { (stream, door) = AsyncStream.makeStream() }

  /// Lets everybody through, now and later.
  public func open() { door.finish() }

  /// Waits until the gate is open.
  public func wait() async {
    for await _ in stream {}
  }
}
