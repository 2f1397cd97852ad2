import FanoutCore
import Foundation
import Testing

private typealias Demand = Subscribers.Demand

struct DemandTests {
  @Test func `the count can be read back`() {
    #expect(Demand.none.max == 0)
    #expect(Demand.max(42).max == 42)
    #expect(Demand.max(.max).max == .max)
    #expect(Demand.unlimited.max == nil)
  }

  @Test func `none is max zero`() {
    #expect(Demand.none == .max(0))
    #expect(Demand.none == 0)
    #expect(Demand.none.hashValue == Demand.max(0).hashValue)
  }

  @Test func `unlimited is more than every count and every number`() {
    #expect(Demand.unlimited > .max(.max))
    #expect(Demand.unlimited > Int.max)
    #expect(Int.max < Demand.unlimited)
    #expect(Demand.unlimited != Int.max)
    #expect(Demand.unlimited == .unlimited)
  }

  @Test func `a negative number is less than every demand`() {
    #expect(Demand.none > -1)
    #expect(-1 < Demand.none)
    #expect(Demand.none != Int.min)
  }

  @Test func `it describes itself`() {
    #expect(Demand.none.description == "max(0)")
    #expect("\(Demand.max(42))" == "max(42)")
    #expect("\(Demand.unlimited)" == "unlimited")
  }

  @Test func `it is one word`() {
    #expect(MemoryLayout<Subscribers.Demand>.size == MemoryLayout<UInt>.size)
  }
}

private struct Request: Codable, Equatable {
  var value: Demand
}

private func json(_ demand: Demand) throws -> String {
  String(decoding: try JSONEncoder().encode(Request(value: demand)), as: UTF8.self)
}

private func demand(_ json: String) throws -> Demand {
  try JSONDecoder().decode(Request.self, from: Data(json.utf8)).value
}

struct DemandCodingTests {
  @Test func `a count is its number`() throws {
    #expect(try json(.max(42)) == #"{"value":42}"#)
    #expect(try demand(#"{"value":42}"#) == .max(42))
  }

  @Test func `unlimited is one more than the greatest count`() throws {
    #expect(try json(.unlimited) == #"{"value":\#(UInt(Int.max) + 1)}"#)
    #expect(try demand(#"{"value":\#(UInt(Int.max) + 1)}"#) == .unlimited)
  }

  @Test func `a number that is too big is read as unlimited`() throws {
    #expect(try demand(#"{"value":\#(UInt(Int.max) + 2)}"#) == .unlimited)
    #expect(try demand(#"{"value":\#(UInt.max)}"#) == .unlimited)
  }

  @Test func `a negative number cannot be read`() {
    #expect(throws: DecodingError.self) { try demand(#"{"value":-1}"#) }
  }

  @Test func `it stands alone as one number`() throws {
    let data = try JSONEncoder().encode(Subscribers.Demand.max(7))
    #expect(String(decoding: data, as: UTF8.self) == "7")
  }
}
