import Fanout
import FanoutTestSupport
import SampleApp
import Testing

@Suite(.noLeaks)
struct CounterModelTests {
  let model = tracked(CounterModel(), "model")

  @Test(arguments: [0, 1, 3])
  func `counts taps`(_ taps: Int) {
    for _ in 0..<taps { model.tap() }
    #expect(model.count.value == taps)
  }

  @Test func `views see every number`() throws {
    let recorder = model.count.record()
    model.tap()
    model.tap()
    try recorder.expectValues([0, 1, 2])
    recorder.cancel()
  }
}
