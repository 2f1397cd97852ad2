import FanoutCore
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct CancellableBagTests {
  @Test func `O1: a bag keeps what is stored, and cancels it when it is released`() {
    let subject = PassthroughSubject<Int, Never>()
    let received = Notes<Int>()
    do {
      let bag = CancellableBag()
      subject.sink { received.append($0) }.store(in: bag)
      subject.map { $0 * 10 }.sink { received.append($0) }.store(in: bag)
      subject.send(1)
      #expect(bag.count == 2)
    }
    subject.send(2)
    #expect(received.all == [1, 10])
  }

  @Test func `it forgets what has ended: sinks on subjects and behind operators`() {
    let bag = CancellableBag()
    let first = PassthroughSubject<Int, Never>()
    let second = PassthroughSubject<Int, Never>()
    first.sink { _ in }.store(in: bag)
    first.map { $0 }.sink { _ in }.store(in: bag)
    second.sink { _ in }.store(in: bag)
    Just(1).sink { _ in }.store(in: bag)
    #expect(bag.count == 3)
    first.send(completion: .finished)
    #expect(bag.count == 1)
    bag.cancel()
    #expect(bag.count == 0)
  }

  @Test func `it does not grow with requests that end`() {
    let gone = Notes<Int>()
    let bag = CancellableBag()
    let lasting = PassthroughSubject<Int, Never>()
    lasting.sink { _ in }.store(in: bag)
    for id in 0..<1_000 {
      let request = PassthroughSubject<Int, Never>()
      let token = Token(id, gone)
      request.sink { _ in withExtendedLifetime(token) {} }.store(in: bag)
      request.send(completion: .finished)
    }
    #expect(gone.count == 1_000)
    #expect(bag.count == 1)
    let ended = WeakReference(endedCancellable(in: bag))
    #expect(bag.count == 1)
    #expect(!ended.isAlive)
  }

  /// Stores a cancellable that has ended.
  private func endedCancellable(in bag: CancellableBag) -> AnyCancellable {
    let cancellable = Empty<Int, Never>().sink { _ in }
    cancellable.store(in: bag)
    return cancellable
  }

  @Test func `D7: a cancel of the bag cancels each once, also from inside`() {
    let bag = CancellableBag()
    let count = Shared(0)
    for _ in 0..<3 {
      AnyCancellable {
        count.change { $0 += 1 }
        bag.cancel()
      }.store(in: bag)
    }
    #expect(bag.count == 3)
    bag.cancel()
    #expect(count.value == 3)
    AnyCancellable { count.change { $0 += 1 } }.store(in: bag)
    #expect(bag.count == 1)
    bag.cancel()
    #expect(count.value == 4)
  }

  @Test func `D11: it may be filled from several threads while what it holds ends`() {
    for _ in 0..<rounds(20) {
      let bag = CancellableBag()
      let lasting = PassthroughSubject<Int, Never>()
      let threads = (0..<4).map { _ in
        TestThread {
          for _ in 0..<100 {
            let subject = PassthroughSubject<Int, Never>()
            subject.sink { _ in }.store(in: bag)
            subject.send(completion: .finished)
          }
          lasting.sink { _ in }.store(in: bag)
        }
      }
      for thread in threads { #expect(thread.join()) }
      #expect(bag.count == 4)
      bag.cancel()
    }
  }
}
