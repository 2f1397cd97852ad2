public import Synchronization

/// What any thread may say about a cursor.
@frozen
@usableFromInline
enum CursorSignal: Sendable {
  /// It was cancelled, or has ended: nothing more starts on it.
  @inlinable static var stopped: UInt32 { 1 }
  /// The receiver has been told of its subscription, so deliveries may start.
  @inlinable static var ready: UInt32 { 2 }
  /// It has asked for something.
  @inlinable static var asked: UInt32 { 4 }
  /// It is counted among those who have asked.
  @inlinable static var counted: UInt32 { 8 }
  /// It was cancelled: not even its end is delivered any more.
  @inlinable static var cancelled: UInt32 { 16 }
  /// It was counted out, and is not counted in any more.
  @inlinable static var countedOut: UInt32 { 32 }
}

/// What only the holder of the drain says about a cursor; one byte together.
@frozen
@usableFromInline
struct CursorFlags: Sendable {
  @usableFromInline var bits: UInt8 = 0

  @inlinable init() {}

  @inlinable
  subscript(bit: UInt8) -> Bool {
    get { bits & bit != 0 }
    set { if newValue { bits |= bit } else { bits &= ~bit } }
  }
}

extension Cursor {
  @inlinable final var isStopped: Bool {
    signals.load(ordering: .relaxed) & CursorSignal.stopped != 0
  }

  @inlinable final var isCancelled: Bool {
    signals.load(ordering: .relaxed) & CursorSignal.cancelled != 0
  }

  @inlinable final var isReady: Bool {
    signals.load(ordering: .acquiring) & CursorSignal.ready != 0
  }

  /// Whether it lacks something that the hub has already passed on.
  @inlinable final var isBehind: Bool {
    get { flags[1] }
    set { flags[1] = newValue }
  }

  /// Whether it is counted among those who need more than being called.
  @inlinable final var isIrregular: Bool {
    get { flags[2] }
    set { flags[2] = newValue }
  }

  /// Whether it is counted among those who are still being told of their subscription.
  @inlinable final var isUntold: Bool {
    get { flags[4] }
    set { flags[4] = newValue }
  }

  /// Whether it waits in the hub's list of those who are to be run.
  @inlinable final var isDue: Bool {
    get { flags[8] }
    set { flags[8] = newValue }
  }

  /// Whether it has let go of its receiver and of the owner.
  @inlinable final var isDetached: Bool {
    get { flags[16] }
    set { flags[16] = newValue }
  }
}
