import Fanout
import FanoutTestSupport
import SampleApp
import Testing

/// The leaks that the sample app has on purpose, and the report of the checks for each.
@MainActor
struct PlantedLeakTests {
  @Test(
    .knownLeak(
      """
      `model` outlived the test: retained by Sink.receiveValue ← AnyCancellable ← itself \
      (until cancel or completion)
      """, linesBelow: 9),
    .noLeaks)
  func `a sink that captures the model that keeps it`() {
    let songs = PassthroughSubject<String, Never>()
    let model = tracked(CapturingPlayerModel(), "model")
    model.play(songs)
    songs.send("So What")
    #expect(model.title == "So What")
  }

  @Test(
    .knownLeak(
      """
      a subscription outlived the test, neither cancelled nor completed; alive: \
      CurrentValueSubject: 1, PassthroughSubject: 1, Sink: 1, Subscription: 1; it is retained by \
      PassthroughSubject.subscription ← itself (until cancel or completion)
      """, linesBelow: 0),
    .noLeaks)
  func `a subscription that nobody can cancel`() {
    let logins = PassthroughSubject<String, Never>()
    let model = tracked(ForgetfulSessionModel(), "model")
    model.follow(logins)
    logins.send("ada")
    #expect(model.user.value == "ada")
  }

  @Test(
    .knownLeak(
      """
      `feed` outlived the test: retained by Multicast.upstream.transform ← itself; and by \
      ShareCore.upstream.transform ← Multicast ← itself; and by Map.Subscription.transform ← \
      Connection ← AnyCancellable ← itself (until cancel or completion)
      """, linesBelow: 10),
    .noLeaks)
  func `a feed that stays connected and decodes with its own method`() {
    let server = PassthroughSubject<String, Never>()
    let feed = tracked(ConnectedFeedModel(), "feed")
    feed.start(server)
    server.send("hello")
  }
}
