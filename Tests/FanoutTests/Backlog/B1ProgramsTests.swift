import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Random programs over all terms at once, in which each account must come out even.
///
/// Numbers are counted up. Those with a remainder of 1 or 2 when divided by 7 are headers of two keys, and other
/// multiples of 5 are keyframes.
struct B1ProgramsTests {
  private static func key(_ number: Int) -> Int? { [1, 2].contains(number % 7) ? number % 7 : nil }

  private static func isKeyframe(_ number: Int) -> Bool { number % 5 == 0 && key(number) == nil }

  private static let plain: [Replay<Int>] = [
    .none, .latest, .all, .last(3), .sinceKeyframe { isKeyframe($0) },
    .sinceKeyframe(limit: .count(4)) { isKeyframe($0) },
    .sinceKeyframe(limit: .count(6), fromBeginning: false) { isKeyframe($0) }, .undelivered(3),
    .custom { Everything() }, .latest { $0 % 3 },
  ]

  private static let headed = plain[..<8].map { $0.headed { key($0) } }

  private static let replays = plain + headed

  private static func hasKeyframes(_ replay: Int) -> Bool {
    [4, 5, 6].contains(replay % plain.count)
  }

  /// A subscriber, and the values that it has a claim on.
  private struct Account {
    let subscriber: TestSubscriber<Int, NumberedError>
    let label: String
    var claims: Set<Int>
    var missed = 0
  }

  private func backlog(_ chance: inout SeededChance, replay: Int) -> Backlog<Int, NumberedError> {
    let size = Int.random(in: 1...4, using: &chance)
    return switch Int.random(in: 0..<5, using: &chance) {
    case 0: .unbounded
    case 1: .size(size, whenFull: .dropOldest)
    case 2: .size(size, whenFull: .dropNewest)
    case 3 where replay != 2: .size(size, whenFull: .rejoin)
    default: .size(size, whenFull: .customError { NumberedError(1) })
    }
  }

  @Test(arguments: 0..<18)
  func `B1: delivered and missed are all that there was, whatever the terms`(replay: Int) {
    for seed in seeds(8) {
      var chance = SeededChance(seed: seed)
      let source = PassthroughSubject<Int, NumberedError>()
      let shared = source.share(
        replay: Self.replays[replay], disconnect: .whenReleased,
        backlog: Bool.random(using: &chance) ? backlog(&chance, replay: replay % 10) : nil)
      shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
      var accounts: [Account] = []
      var sent = 0
      func send() {
        sent += 1
        for index in accounts.indices { accounts[index].claims.insert(sent) }
        source.send(sent)
      }
      for _ in 0..<60 {
        switch Int.random(in: 0..<20, using: &chance) {
        case 0, 1:
          let places: [Join<Int>] =
            [.replay, .live] + (Self.hasKeyframes(replay) ? [.nextKeyframe] : [])
          let place = Int.random(in: 0..<places.count, using: &chance)
          let account = Account(
            subscriber: TestSubscriber(initialDemand: .max(.random(in: 0...2, using: &chance))),
            label: "\(accounts.count)", claims: place == 0 ? Set(shared.replayed) : [])
          accounts.append(account)
          shared.joining(
            places[place], backlog: backlog(&chance, replay: replay % 10), label: account.label
          ).subscribe(account.subscriber)
        case 2...5:
          accounts.randomElement(using: &chance)?.subscriber.request(
            .max(.random(in: 1...3, using: &chance)))
        case 6 where seed % 3 == 0: shared.reconnect()
        case 7 where seed % 3 == 1: shared.clearReplay()
        default: send()
        }
        for subscriber in shared.status.subscribers {
          guard let index = accounts.firstIndex(where: { $0.label == subscriber.label }) else {
            continue
          }
          // What is missed once stays missed.
          if subscriber.missed < accounts[index].missed {
            Issue.record("seed \(seed), \(subscriber), sent \(sent)")
          }
          accounts[index].missed = subscriber.missed
        }
      }
      // Nobody waits for a start behind this one.
      repeat { send() } while !Self.isKeyframe(sent)
      for account in accounts { account.subscriber.request(.unlimited) }
      for subscriber in shared.status.subscribers {
        guard let account = accounts.first(where: { $0.label == subscriber.label }) else {
          continue
        }
        let had = account.claims.intersection(account.subscriber.values)
        // A header that has passed while the subscriber waited is missed, and may have come nevertheless.
        let headers = replay < Self.plain.count ? 0 : had.count { Self.key($0) != nil }
        let lacking = account.claims.count - had.count
        #expect(
          (lacking...lacking + headers).contains(subscriber.missed) && subscriber.waiting == 0,
          "seed \(seed), \(subscriber), lacks \(account.claims.subtracting(had).sorted())")
      }
      for account in accounts {
        #expect(account.subscriber.violations == [])
        account.subscriber.cancel()
      }
    }
  }
}
