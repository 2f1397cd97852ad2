import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D5OrderTests {
  @Test(arguments: Policy.allCases)
  func `D5: a value reaches the subscribers in the order in which they came`(policy: Policy) {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let log = Notes<String>()
    var sinks: [String: AnyCancellable] = [:]
    func join(_ name: String) {
      sinks[name] = share.sink(receiveCompletion: { _ in log.append("\(name) end") }) {
        log.append("\(name)\($0)")
      }
    }
    for name in ["a", "b", "c", "d", "e"] { join(name) }
    upstream.send(1)
    #expect(log.all == ["a1", "b1", "c1", "d1", "e1"])
    sinks["a"]?.cancel()
    sinks["d"]?.cancel()
    join("f")
    let before = log.count
    upstream.send(2)
    upstream.send(completion: .finished)
    #expect(
      Array(log.all.dropFirst(before)) == [
        "b2", "c2", "e2", "f2", "b end", "c end", "e end", "f end",
      ])
  }

  @Test(arguments: Policy.lossless)
  func `D5: who had no demand gets the value when they ask, the others do not wait`(policy: Policy)
  {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let slow = TestSubscriber<Int, Broken>(initialDemand: .none)
    let fast = TestSubscriber<Int, Broken>()
    share.subscribe(slow)
    share.subscribe(fast)
    for value in 1...4 {
      upstream.send(value)
      #expect(fast.values == Array(1...value))
    }
    #expect(slow.values == [])
    for value in 1...4 {
      slow.request(.max(1))
      #expect(slow.values == Array(1...value))
    }
    [slow, fast].forEach { $0.cancel() }
  }

  @Test func `D5: who joins from inside a receive comes after everybody`() {
    let upstream = PassthroughSubject<Int, Never>()
    let share = upstream.share()
    let log = Notes<String>()
    let joined = Shared<AnyCancellable?>(nil)
    let a = share.sink { value in
      log.append("a\(value)")
      if value == 1 { joined.value = share.sink { log.append("c\($0)") } }
    }
    let b = share.sink { log.append("b\($0)") }
    upstream.send(1)
    upstream.send(2)
    #expect(log.all == ["a1", "b1", "a2", "b2", "c2"])
    [a, b].forEach { $0.cancel() }
    joined.value?.cancel()
  }
}
