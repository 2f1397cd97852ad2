import Fanout
import FanoutEngine
import Testing

/// Values that a loop takes together.
struct LoopBatchTests {
  private typealias Iterator = SharedSequence<Int, Never>.Iterator

  private func fetch(_ iterator: Iterator?) -> Int? {
    guard case .element(let value)? = iterator?.cursor?.fetch() else { return nil }
    return value
  }

  @Test func `D6: a loop that begins in a delivery gets its replay before what comes meanwhile`() {
    let subject = ReplaySubject<Int, Never>(.sinceKeyframe { $0 == 1 })
    // Used by this thread only.
    nonisolated(unsafe) var iterator: Iterator?
    let sink = subject.sink { value in
      guard value == 1 else { return }
      iterator = subject.values.makeAsyncIterator()
      #expect(fetch(iterator) == nil)
      subject.send(2)
      #expect(fetch(iterator) == nil)
    }
    subject.send(1)
    #expect([fetch(iterator), fetch(iterator), fetch(iterator)] == [1, 2, nil])
    sink.cancel()
  }

  @Test func `D2: more values than a batch takes stay in order, and the end comes after them`()
    async
  {
    let subject = ReplaySubject<Int, Never>(.none)
    let elements = subject.values
    var iterator = elements.makeAsyncIterator()
    for value in 0..<100 { subject.send(value) }
    subject.send(completion: .finished)
    for value in 0..<100 { #expect(await iterator.next() == value) }
    #expect(await iterator.next() == nil)
  }

  @Test func `Q5: a loop that may skip values takes no value before it needs it`() {
    let subject = ReplaySubject<Int, Never>(.none)
    let iterator = subject.values.joining(backlog: .size(2, whenFull: .dropOldest))
      .makeAsyncIterator()
    for value in 1...3 { subject.send(value) }
    #expect(fetch(iterator) == 2)
    for value in 4...6 { subject.send(value) }
    #expect(fetch(iterator) == 5)
    #expect(fetch(iterator) == 6)
  }
}
