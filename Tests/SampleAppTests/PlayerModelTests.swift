import Fanout
import FanoutTestSupport
import SampleApp
import Testing

@MainActor
@Suite(.noLeaks)
struct PlayerModelTests {
  let songs = PassthroughSubject<String, Never>()

  @Test func `shows each song, and dies when its view does`() {
    let model = tracked(PlayerModel(), "model")
    model.play(songs)
    songs.send("Blue in Green")
    #expect(model.title == "Blue in Green")
  }

  @Test func `shows nothing more when stopped`() {
    let model = tracked(PlayerModel(), "model")
    model.play(songs)
    model.stop()
    songs.send("So What")
    #expect(model.title == "")
  }
}
