import Fanout
import FanoutFoundation
import FanoutTestSupport
import Foundation
import Testing

struct CoderTests {
  private struct Song: Codable, Equatable {
    let title: String
    let seconds: Int
  }

  /// Encodes and decodes by the protocols only.
  private func roundTrip<Encoder: TopLevelEncoder, Decoder: TopLevelDecoder>(
    _ song: Song, _ encoder: Encoder, _ decoder: Decoder
  ) throws -> Song where Encoder.Output == Decoder.Input {
    try decoder.decode(Song.self, from: encoder.encode(song))
  }

  @Test func `JSON and property lists are encoded and decoded by the protocols`() throws {
    let song = Song(title: "So What", seconds: 562)
    #expect(try roundTrip(song, JSONEncoder(), JSONDecoder()) == song)
    #expect(try roundTrip(song, PropertyListEncoder(), PropertyListDecoder()) == song)
  }

  @Test func `JSON is decoded and encoded by the operators`() {
    let song = Song(title: "So What", seconds: 562)
    let subscriber = TestSubscriber<Song, any Error>()
    [song, song].publisher.encode(encoder: JSONEncoder()).decode(
      type: Song.self, decoder: JSONDecoder()
    ).subscribe(subscriber)
    #expect(subscriber.values == [song, song])
    #expect(subscriber.violations == [])
  }

  @Test func `D9: text that is no JSON fails with the decoder's error`() {
    let subscriber = TestSubscriber<Song, any Error>()
    let texts = [#"{ "title": "Blue", "seconds": 1 }"#, "no JSON", "{}"].publisher
    texts.map { Data($0.utf8) }.decode(type: Song.self, decoder: JSONDecoder()).subscribe(
      subscriber)
    #expect(subscriber.values == [Song(title: "Blue", seconds: 1)])
    guard case .failure(let error) = subscriber.completion else {
      Issue.record("no failure")
      return
    }
    #expect(error is DecodingError)
  }
}
