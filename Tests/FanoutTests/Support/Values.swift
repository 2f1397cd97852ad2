import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads

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
