// Unsafe pointer: invariant: that of `ThreadMark`: only the thread of a mark reaches it. A closure
// that is handed over reaches only the state of its drain, so one thread at a time runs it.

/// A limit to the deliveries that a `for await` loop makes when it subscribes, requests or cancels.
///
/// If no thread delivers at that moment, the loop's thread becomes the holder of a drain, and
/// delivers as long as other threads bring values. Without a limit the loop might never begin its
/// first turn. So a thread that is inside `limit(_:)` passes the drain on to a task after a number
/// of deliveries, unless it took the drain with a value of its own: when the outermost `send`
/// returns, everything is delivered (D3).
public enum BoundedDelivery: Sendable {
  /// The number of deliveries after which a thread checks whether it is limited; a power of two.
  public static var count: Int { 128 }

  /// Runs `body`, and limits the deliveries that it makes for others on this thread.
  @inlinable
  public static func limit<Result>(_ body: () -> Result) -> Result {
    let mark = setMark()
    defer { mark?.pointee = false }
    return body()
  }

  /// Marks this thread as limited; returns the mark, unless the thread is marked already.
  @usableFromInline
  static func setMark() -> UnsafeMutablePointer<Bool>? {
    guard let mark = ThreadMark.current, !mark.pointee else { return nil }
    mark.pointee = true
    return mark
  }

  /// Whether the deliveries of this thread are limited.
  public static var isLimiting: Bool { ThreadMark.isSet }

  /// Starts a task that continues the deliveries if this thread is limited; returns whether it did.
  ///
  /// The caller must hold the drain that `goOn` works on. If this returns true, the task holds it.
  public static func handOver(_ goOn: @escaping () -> Void) -> Bool {
    guard ThreadMark.isSet else { return false }
    startLimitedTask(goOn)
    return true
  }

  /// Starts a task whose deliveries are limited, so that deliveries without end take turns with
  /// other tasks.
  public static func startLimitedTask(_ body: @escaping () -> Void) {
    _ = startTask { limit(body) }
  }
}
