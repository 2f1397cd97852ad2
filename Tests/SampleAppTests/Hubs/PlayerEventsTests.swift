import Fanout
import FanoutTestSupport
import SampleApp
import Synchronization
import Testing

/// A player that calls back.
private final class Player: Sendable {
  private let callbacks = Mutex<[Int: @Sendable (PlayerEvent) -> Void]>([:])
  private let installed = Atomic(0)

  var callbackCount: Int { callbacks.withLock { $0.count } }

  func install(_ callback: @escaping @Sendable (PlayerEvent) -> Void) -> Int {
    let number = installed.add(1, ordering: .relaxed).newValue
    callbacks.withLock { $0[number] = callback }
    return number
  }

  func remove(_ number: Int) { _ = callbacks.withLock { $0.removeValue(forKey: number) } }

  func tell(_ event: PlayerEvent) {
    for callback in callbacks.withLock({ Array($0.values) }) { callback(event) }
  }
}

struct PlayerEventsTests {
  private let player = Player()

  private func makeEvents() -> PlayerEvents {
    PlayerEvents(
      install: { [player] in player.install($0) }, remove: { [player] in player.remove($0) })
  }

  @Test func `the callback is installed for the first view and removed with the last`() async {
    let events = makeEvents()
    #expect(player.callbackCount == 0)
    var first: SharedSequence<PlayerEvent, Never>.AsyncIterator? = events.all.makeAsyncIterator()
    var second: SharedSequence<PlayerEvent, Never>.AsyncIterator? = events.all.makeAsyncIterator()
    #expect(player.callbackCount == 1)
    player.tell(.playing)
    #expect(await first?.next() == .playing)
    #expect(await second?.next() == .playing)
    first = nil
    #expect(player.callbackCount == 1)
    second = nil
    #expect(player.callbackCount == 0)
  }

  @Test func `a late view gets the newest event, and all views the same order`() async {
    let events = makeEvents()
    var early = events.all.makeAsyncIterator()
    for event in [PlayerEvent.playing, .position(1)] { player.tell(event) }
    var late = events.all.makeAsyncIterator()
    player.tell(.paused)
    var got: [[PlayerEvent?]] = [[], []]
    for _ in 1...3 { got[0].append(await early.next()) }
    for _ in 1...2 { got[1].append(await late.next()) }
    #expect(got == [[.playing, .position(1), .paused], [.position(1), .paused]])
  }

  @Test func `a view of states gets no positions`() async throws {
    let events = makeEvents()
    var states = events.states.makeAsyncIterator()
    for event in [PlayerEvent.playing, .position(1), .position(2), .paused] { player.tell(event) }
    #expect(try await states.next() == .playing)
    #expect(try await states.next() == .paused)
  }
}
