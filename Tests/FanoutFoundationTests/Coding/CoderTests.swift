import Fanout
import FanoutFoundation
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
}
