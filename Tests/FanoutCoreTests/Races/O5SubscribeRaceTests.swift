import FanoutCore
import TestThreads
import Testing

struct O5SubscribeRaceTests {
  private final class Captured: Sendable {}

  @Test(arguments: [false, true])
  func `O5: a sink that is cancelled while it subscribes lets go of its closures at once`(
    throughOperators: Bool
  ) {
    for _ in 0..<rounds(2_000) {
      let subject = PassthroughSubject<Int, Never>()
      weak var captured: Captured?
      let sink: Subscribers.Sink<Int, Never> = {
        let object = Captured()
        captured = object
        return Subscribers.Sink(
          receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(object) {} })
      }()
      let isOver = race(
        {
          if throughOperators {
            subject.filter { _ in true }.map { $0 }.subscribe(sink)
          } else {
            subject.subscribe(sink)
          }
        },
        { sink.cancel() })
      #expect(isOver)
      #expect(captured == nil)
      withExtendedLifetime((sink, subject)) {}
    }
  }
}
