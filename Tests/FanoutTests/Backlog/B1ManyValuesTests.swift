import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// One subscriber that takes nothing beside three that take everything.
struct B1ManyValuesTests {
  private static let count = 10_000
  private static let size = 100

  enum Kind: CaseIterable, Sendable {
    case unbounded, dropOldest, dropNewest, rejoin, customError

    var backlog: Backlog<Token, NumberedError> {
      switch self {
      case .unbounded: .unbounded
      case .dropOldest: .size(size, whenFull: .dropOldest)
      case .dropNewest: .size(size, whenFull: .dropNewest)
      case .rejoin: .size(size, whenFull: .rejoin)
      case .customError: .size(size, whenFull: .customError { NumberedError(1) })
      }
    }

    /// The greatest number of values that live at one time: what waits, the replay, and the one on its way.
    var bound: Int { self == .unbounded ? count : size + 2 }
  }

  @Test(arguments: Kind.allCases)
  func `B1, B2, B3: memory, misses and order, and the others get all`(kind: Kind) {
    let live = Shared(0)
    let source = PassthroughSubject<Token, NumberedError>()
    let shared = source.share(replay: .latest, backlog: kind.backlog)
    let sums = [Shared(0), Shared(0), Shared(0)]
    let fast = sums.map { sum in
      shared.sink { _ in
      } receiveValue: { token in
        sum.change { $0 += token.id }
      }
    }
    let slow = TestSubscriber<Delivery<Int>, NumberedError>(initialDemand: .none)
    // The numbers are taken out when the values are delivered, so that the test keeps no value alive.
    shared.deliveries().map { delivery -> Delivery<Int> in
      switch delivery {
      case .replayed(let token): .replayed(token.id)
      case .caughtUp: .caughtUp
      case .live(let token): .live(token.id)
      case .missed(let count): .missed(count)
      }
    }.subscribe(slow)
    var most = 0
    for number in 0..<Self.count {
      live.change { $0 += 1 }
      source.send(Token(number) { live.change { $0 -= 1 } })
      most = max(most, live.value)
    }
    #expect(most <= kind.bound)
    slow.request(.unlimited)
    var place = 0
    var isInPlace = true
    for delivery in slow.values {
      switch delivery {
      case .caughtUp: isInPlace = isInPlace && place == 0
      case .missed(let count): place += count ?? 0
      case .replayed: isInPlace = false
      case .live(let number):
        isInPlace = isInPlace && number == place
        place += 1
      }
    }
    #expect(isInPlace)
    #expect(place == (kind == .customError ? Self.size + 1 : Self.count))
    #expect((slow.completion != nil) == (kind == .customError))
    #expect(sums.map(\.value) == Array(repeating: Self.count * (Self.count - 1) / 2, count: 3))
    source.send(completion: .finished)
    fast.forEach { $0.cancel() }
    slow.cancel()
  }
}
