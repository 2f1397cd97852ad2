import Dispatch
import FanoutCore
import Testing

private final class Object: CustomCombineIdentifierConvertible {}

struct CombineIdentifierTests {
  @Test func `an object has one and it is its own`() {
    let (a, b) = (Object(), Object())
    #expect(CombineIdentifier(a) == CombineIdentifier(a))
    #expect(CombineIdentifier(a) != CombineIdentifier(b))
    #expect(a.combineIdentifier == CombineIdentifier(a))
  }

  @Test func `a made one is never that of an object`() throws {
    let text = CombineIdentifier().description
    let number = try #require(UInt64(text.dropFirst(2), radix: 16))
    #expect(number % 2 == 1)
  }

  @Test func `it describes itself in hexadecimal`() {
    let object = Object()
    let address = String(UInt(bitPattern: ObjectIdentifier(object)), radix: 16)
    #expect(CombineIdentifier(object).description == "0x" + address)
    #expect(CombineIdentifier().description.hasPrefix("0x"))
  }

  @Test func `it stores one number`() {
    let children = Mirror(reflecting: CombineIdentifier()).children
    #expect(children.map(\.label) == ["rawValue"])
    #expect(children.first?.value is UInt64)
  }
}

struct CombineIdentifierRaceTests {
  @Test func `no two made on any thread are the same`() {
    var made = Array(repeating: [CombineIdentifier](), count: 8)
    made.withUnsafeMutableBufferPointer { buffer in
      // Each thread has a slot of its own.
      nonisolated(unsafe) let slots = buffer
      DispatchQueue.concurrentPerform(iterations: 8) { index in
        slots[index] = (0..<5_000).map { _ in CombineIdentifier() }
      }
    }
    let all = made.joined()
    #expect(Set(all).count == 40_000)
  }
}
