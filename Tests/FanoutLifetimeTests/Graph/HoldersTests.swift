import Fanout
import FanoutLifetime
import Testing

struct HoldersTests {
  private final class Screen: @unchecked Sendable {
    var count = 0
    var kept: AnyCancellable?
  }

  @Test func `O3: the chain goes up to what has a name, with what ends its first reference`() {
    let counter = CurrentValueSubject<Int, Never>(0)
    let screen = Screen()
    let sink = counter.labeled("counter").sink { screen.count = $0 }
    #expect(
      OwnershipGraph.holders(of: screen, among: [sink, counter]) == [
        "Sink.receiveValue ← Subscription ← CurrentValueSubject 'counter'"
          + " (until cancel or completion)"
      ])
    sink.cancel()
    #expect(OwnershipGraph.holders(of: screen, among: [sink, counter]) == [])
  }

  @Test func `O1: without a name it goes up to what nobody holds`() {
    let counter = CurrentValueSubject<Int, Never>(0)
    let screen = Screen()
    let sink = counter.sink { screen.count = $0 }
    #expect(
      OwnershipGraph.holders(of: screen, among: [counter, sink])
        == ["Sink.receiveValue ← AnyCancellable (until cancel or completion)"])
    sink.cancel()
  }

  @Test func `O3: in a ring without a cancellable it goes up to the subject`() {
    let counter = PassthroughSubject<Int, Never>()
    let screen = Screen()
    let sink = Subscribers.Sink<Int, Never>(
      receiveCompletion: { _ in }, receiveValue: { screen.count = $0 })
    counter.map { $0 }.subscribe(sink)
    #expect(
      OwnershipGraph.holders(of: screen, among: [sink]) == [
        "Sink.receiveValue ← Map.Subscription ← Subscription ← PassthroughSubject"
          + " (until cancel or completion)"
      ])
    sink.cancel()
  }

  @Test func `O5: a cycle through the object itself says so`() {
    let counter = PassthroughSubject<Int, Never>()
    let screen = Screen()
    screen.kept = counter.sink { screen.count = $0 }
    #expect(
      OwnershipGraph.holders(of: screen, among: [counter])
        == ["Sink.receiveValue ← AnyCancellable ← itself (until cancel or completion)"])
    screen.kept = nil
    screen.kept = AnyCancellable { _ = screen }
    #expect(
      OwnershipGraph(of: screen).holders(of: screen) == [
        "AnyCancellable.cancel ← itself (until cancel)"
      ])
    screen.kept = nil
  }

  @Test func `each reference is told, the most telling first; names may be given`() {
    let (first, second) = (Screen(), Screen())
    let counter = PassthroughSubject<Int, Never>()
    first.kept = AnyCancellable { _ = second }
    let sink = counter.sink { _ in second.count += 1 }
    #expect(
      OwnershipGraph.holders(
        of: second, among: [sink, counter, first], names: [ObjectIdentifier(first): "main"]) == [
          "AnyCancellable.cancel ← HoldersTests.Screen 'main' (until cancel)",
          "Sink.receiveValue ← AnyCancellable (until cancel or completion)",
        ])
    #expect(OwnershipGraph.holders(of: Screen(), among: [first]) == [])
    sink.cancel()
  }
}
