import FanoutCore
import Foundation
import Testing

private struct Oops: Error, Hashable, Codable {
  var reason: String
}

private typealias Completion = Subscribers.Completion<Oops>

private func decoded(_ json: String) throws -> Completion {
  try JSONDecoder().decode(Completion.self, from: Data(json.utf8))
}

private func encoded(_ completion: Completion) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  return String(decoding: try encoder.encode(completion), as: UTF8.self)
}

struct CompletionTests {
  @Test func `two are equal if their failures are`() {
    let oops = Completion.failure(Oops(reason: "oops"))
    #expect(oops == .failure(Oops(reason: "oops")))
    #expect(oops != .failure(Oops(reason: "ouch")))
    #expect(oops != .finished)
    #expect(Set([oops, .finished, oops, .finished]).count == 2)
  }

  @Test func `finished is written as success`() throws {
    #expect(try encoded(.finished) == #"{"success":true}"#)
  }

  @Test func `a failure is written with its error`() throws {
    #expect(
      try encoded(.failure(Oops(reason: "oops")))
        == #"{"error":{"reason":"oops"},"success":false}"#)
  }

  @Test func `finished is read whatever stands beside it`() throws {
    #expect(try decoded(#"{"success":true}"#) == .finished)
    #expect(try decoded(#"{"error":{"reason":"oops"},"success":true}"#) == .finished)
  }

  @Test func `a failure is read with its error`() throws {
    #expect(
      try decoded(#"{"error":{"reason":"oops"},"success":false}"#)
        == .failure(Oops(reason: "oops")))
  }

  @Test func `a failure without its error cannot be read`() {
    #expect(throws: DecodingError.self) { try decoded(#"{"success":false}"#) }
  }

  @Test func `it can be sent to another thread`() {
    func send(_: some Sendable) {}
    send(Subscribers.Completion<any Error>.finished)
  }
}
