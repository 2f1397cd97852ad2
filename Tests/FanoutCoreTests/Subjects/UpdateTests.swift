import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// `update(_:)` of a current value.
struct UpdateTests {
  @Test func `D2: updates of several threads lose none, and each is delivered`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let received = Notes<Int>()
    let sink = subject.sink { received.append($0) }
    let threads = (0..<4).map { _ in
      TestThread { for _ in 0..<500 { subject.update { $0 += 1 } } }
    }
    for thread in threads { #expect(thread.join()) }
    #expect(subject.value == 2_000)
    #expect(received.all == Array(0...2_000))
    sink.cancel()
  }

  @Test func `D2: a value that is sent while the closure runs is not overwritten`() {
    let subject = CurrentValueSubject<[Int], Never>([])
    let calls = Shared(0)
    let result = subject.update { list in
      calls.change { $0 += 1 }
      if calls.value == 1 { #expect(TestThread { subject.send([1]) }.join()) }
      list.append(2)
      return list.count
    }
    #expect(calls.value == 2)
    #expect(result == 2)
    #expect(subject.value == [1, 2])
  }

  @Test func `D3: an update inside a subscriber waits its turn, and shows at once`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let received = Notes<Int>()
    let first = subject.sink { value in
      if value == 1 {
        subject.update { $0 += 1 }
        #expect(subject.value == 2)
      }
      received.append(value)
    }
    let second = subject.sink { received.append($0 * 10) }
    subject.update { $0 += 1 }
    #expect(received.all == [0, 0, 1, 10, 2, 20])
    first.cancel()
    second.cancel()
  }

  @Test func `a closure that throws sends nothing, and after the end nothing is sent`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    #expect(throws: Broken.self) {
      try subject.update { value in
        value = 5
        throw Broken()
      }
    }
    #expect(subject.value == 1)
    subject.send(completion: .finished)
    #expect(
      subject.update {
        $0 += 1; return $0
      } == 2)
    #expect(subject.value == 1)
  }

  @Test func `O6: what an update replaces is released`() {
    let gone = Notes<Int>()
    let subject = CurrentValueSubject<Token, Never>(Token(1, gone))
    subject.update { $0 = Token(2, gone) }
    #expect(gone.all == [1])
  }
}
