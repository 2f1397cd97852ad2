/// A gate that opens once, and at which tasks wait without holding a thread.
public struct AsyncGate: Sendable {
  private let stream: AsyncStream<Never>
  private let door: AsyncStream<Never>.Continuation

  /// Makes a closed gate.
  public init() { (stream, door) = AsyncStream.makeStream() }

  /// Lets every task through, now and later.
  public func open() { door.finish() }

  /// Waits until the gate is open.
  public func wait() async {
    for await _ in stream {}
  }
}
