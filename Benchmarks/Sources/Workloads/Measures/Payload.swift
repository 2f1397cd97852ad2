/// A kind of value that is sent.
protocol Payload: Sendable {
  /// Values made beforehand, 16 of them: making one is no part of what is measured.
  static var samples: [Self] { get }

  static func pick(_ samples: [Self], _ index: Int) -> Self

  /// What a sink adds up.
  var number: Int { get }

  /// What `map` makes of it.
  var next: Self { get }
}

extension Payload {
  @inline(__always)
  static func pick(_ samples: [Self], _ index: Int) -> Self { samples[index & 15] }

  @inline(__always)
  var next: Self { self }
}

extension Int: Payload {
  static var samples: [Int] { [] }

  @inline(__always)
  static func pick(_ samples: [Int], _ index: Int) -> Int { index }

  @inline(__always)
  var number: Int { self }

  @inline(__always)
  var next: Int { self &+ 1 }
}

/// A value of 64 bytes without references.
struct Packet: Payload {
  var words: (Int, Int, Int, Int, Int, Int, Int, Int)

  init(_ number: Int) {
    words = (number, number, number, number, number, number, number, number)
  }

  static var samples: [Packet] { (0..<16).map(Packet.init) }

  @inline(__always)
  var number: Int { words.0 }
}

/// A reference to an object.
final class Frame: Payload {
  let number: Int

  init(_ number: Int) { self.number = number }

  static var samples: [Frame] { (0..<16).map(Frame.init) }
}

/// A text too long to be stored in place.
extension String: Payload {
  static var samples: [String] {
    (0..<16).map { "A sentence that has more than fifteen letters, number \($0)" }
  }

  @inline(__always)
  var number: Int { utf8.count }
}

extension Payload {
  /// What each sink of Fanout calls.
  ///
  /// Made here, once for each kind of value, for the same reason as the places of ``Counter``. Only
  /// for generic code: elsewhere the closure would be wrapped in another one.
  @inline(never)
  static var fanoutSink: @Sendable (Self) -> Void {
    { Counter.add($0.number, .fanout) }
  }

  /// What each sink of OpenCombine calls.
  @inline(never)
  static var openCombineSink: @Sendable (Self) -> Void {
    { Counter.add($0.number, .openCombine) }
  }
}
