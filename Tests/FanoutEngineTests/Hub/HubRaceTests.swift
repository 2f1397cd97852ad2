import FanoutEngine
import TestFixtures
import TestThreads
import Testing

struct HubRaceTests {
  /// The numbers from a place on, to the end.
  private func isTail(_ values: [Int], of order: [Int]) -> Bool {
    values.count <= order.count && values == Array(order.suffix(values.count))
  }

  @Test(arguments: RetentionKind.lossless)
  func `D2, D6, D8, D9: senders, joiners and askers on threads of their own lose nothing`(
    kind: RetentionKind
  ) {
    for _ in 0..<rounds(12) {
      let owner = Owner(kind.numbers)
      let witness = Receiver.attached(to: owner)
      let joined = Notes<Receiver<Int>>()
      let senders: [@Sendable () -> Void] = (1...2).map { sender in
        { for number in 1...150 { owner.send(sender * 1000 + number) } }
      }
      let join: @Sendable () -> Void = {
        for round in 0..<25 {
          let receiver = Receiver<Int>(asking: round % 3 == 0 ? .unlimited : credit(2))
          joined.append(receiver)
          receiver.attach(to: owner)
        }
      }
      let ask: @Sendable () -> Void = {
        for _ in 0..<10 { for receiver in joined.all { receiver.ask(3) } }
      }
      #expect(race(senders + [join, join, ask]))
      owner.hub.finish("end")
      let order = witness.values
      #expect(order.count == 300)
      for receiver in joined.all {
        receiver.ask(1000)
        let values = receiver.values
        switch kind {
        case .replay(.all): #expect(values == order)
        case .replay(.custom):
          // The contents of the cache, then everything from its place on.
          let fits = (0...order.count).contains { place in
            values == kind.replay(after: Array(order[..<place])) + order[place...]
          }
          #expect(fits)
        case .replay(.sinceKeyframe):
          #expect(isTail(values, of: order))
          #expect(
            values.first.map(Policy.isKeyframe) != false || values == order)
        default:
          #expect(isTail(values, of: order))
          #expect(values.last == order.last)
        }
        #expect(receiver.ends == ["end"])
      }
      #expect(witness.ends == ["end"])
    }
  }

  @Test(arguments: RetentionKind.allCases)
  func `D7, O6: who is cancelled meanwhile is let go of, and holds no value back`(
    kind: RetentionKind
  ) {
    let gone = Shared(0)
    for _ in 0..<rounds(40) {
      let before = gone.value
      do {
        let owner = Owner<Token>(kind.retention(\.id))
        let receivers = (0..<4).map { index in
          Receiver<Token>.attached(to: owner, asking: index == 0 ? .unlimited : credit(5))
        }
        let isOver = race(
          { for number in 0..<60 { owner.send(Token(number) { gone.increment() }) } },
          { receivers.forEach { $0.ask(10) } },
          { receivers.reversed().forEach { $0.cancel() } })
        #expect(isOver)
        receivers.forEach { $0.cancel() }
      }
      #expect(gone.value == before + 60)
    }
  }
}
