import Dispatch

/// Numbers that are sent in bursts to a serial queue, which is suspended until all of a burst are there.
final class Bursts: Sendable {
  let queue = DispatchQueue(label: "values")
  let count: Int
  private let burst: Int
  private let arrived = DispatchSemaphore(value: 0)

  init(of burst: Int, _ deliveries: Int) {
    self.burst = burst
    count = deliveries / burst * burst
  }

  /// Notes that a number has arrived on the queue.
  @inline(__always)
  func note(_ number: Int) {
    if (number + 1) % burst == 0 { arrived.signal() }
  }

  /// Sends one burst after the other; a burst begins when the queue has nothing left to do.
  @inline(__always)
  func send(_ send: (Int) -> Void) {
    for start in stride(from: 0, to: count, by: burst) {
      queue.suspend()
      for number in start..<(start + burst) { send(number) }
      queue.resume()
      arrived.wait()
      queue.sync {}
    }
  }
}
