import Fanout
import FanoutLifetime
import TestThreads

/// An error to fail with.
struct Broken: Error, Equatable {}

/// A value or closure's capture whose end can be seen.
final class Token: Sendable {
  let id: Int
  private let whenGone: @Sendable () -> Void

  init(_ id: Int = 0, whenGone: @escaping @Sendable () -> Void = {}) {
    self.id = id
    self.whenGone = whenGone
  }

  deinit { whenGone() }
}

/// Makes tokens and knows which of them are still alive.
final class TokenMint: Sendable {
  private let minted = Shared<[(id: Int, reference: WeakReference)]>([])

  func make(_ id: Int) -> Token {
    let token = Token(id)
    let reference = WeakReference(token)
    minted.change { $0.append((id, reference)) }
    return token
  }

  /// Which are alive, in the order in which they were made.
  var alive: [Int] { minted.value.filter { $0.reference.isAlive }.map(\.id) }
}

extension Sequence where Element: Equatable {
  /// Whether this is a contiguous part of a list.
  func isWindow(of list: [Element]) -> Bool {
    let part = Array(self)
    guard let first = part.first, let start = list.firstIndex(of: first) else {
      return part.isEmpty
    }
    return list[start...].starts(with: part)
  }
}

/// Numbers that look random and are the same in every run.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
