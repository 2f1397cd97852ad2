import FanoutCore
import Testing

private typealias Demand = Subscribers.Demand

struct DemandArithmeticTests {
  @Test func `demands add up`() {
    #expect(Demand.max(100) + .max(42) == .max(142))
    #expect(Demand.max(81) + 42 == .max(123))
    #expect(Demand.none + .none == .none)
  }

  @Test func `a sum saturates to unlimited`() {
    #expect(Demand.max(.max - 1) + 1 == .max(.max))
    #expect(Demand.max(.max) + .max(1) == .unlimited)
    #expect(Demand.max(.max) + 1 == .unlimited)
    #expect(Demand.max(.max) + .max(.max) == .unlimited)
  }

  @Test(arguments: [0, 1, -1, 42, Int.max, Int.min])
  func `unlimited stays unlimited whatever is done to it`(number: Int) {
    #expect(Demand.unlimited + number == .unlimited)
    #expect(Demand.unlimited - number == .unlimited)
    #expect(Demand.unlimited * number == .unlimited)
    #expect(Demand.unlimited + .max(abs(number / 2)) == .unlimited)
    #expect(Demand.unlimited - .max(abs(number / 2)) == .unlimited)
    #expect(Demand.max(abs(number / 2)) + .unlimited == .unlimited)
  }

  @Test func `unlimited plus and minus unlimited is unlimited`() {
    #expect(Demand.unlimited + .unlimited == .unlimited)
    #expect(Demand.unlimited - .unlimited == .unlimited)
  }

  @Test func `demands subtract`() {
    #expect(Demand.max(100) - .max(42) == .max(58))
    #expect(Demand.max(81) - 42 == .max(39))
  }

  @Test func `a difference below zero is none`() {
    #expect(Demand.max(5) - 7 == .none)
    #expect(Demand.max(5) - .max(7) == .none)
    #expect(Demand.max(3) - .unlimited == .none)
    #expect(Demand.none - Int.max == .none)
  }

  @Test func `a negative number counts the other way`() {
    #expect(Demand.max(5) + -2 == .max(3))
    #expect(Demand.max(5) + -7 == .none)
    #expect(Demand.max(.max) + Int.min == .none)
    #expect(Demand.max(5) - -2 == .max(7))
  }

  @Test func `a difference that overflows is none, as in Combine`() {
    #expect(Demand.max(.max) - -1 == .none)
    #expect(Demand.none - Int.min == .none)
  }

  @Test func `demands multiply`() {
    #expect(Demand.max(42) * 2 == .max(84))
    #expect(Demand.none * 10 == .none)
    #expect(Demand.max(42) * 0 == .none)
  }

  @Test func `a product saturates to unlimited`() {
    #expect(Demand.max(.max) * 2 == .unlimited)
    #expect(Demand.max(2) * Int.max == .unlimited)
    #expect(Demand.max(.max) * 1 == .max(.max))
  }

  @Test func `a negative product is none`() {
    #expect(Demand.max(3) * -1 == .none)
    #expect(Demand.max(.max) * -2 == .none)
    #expect(Demand.max(.max) * Int.min == .none)
  }

  @Test func `assignment follows the plain operators`() {
    var demand = Demand.none
    demand += .max(1)
    #expect(demand == .max(1))
    demand += 21
    #expect(demand == .max(22))
    demand *= 3
    #expect(demand == .max(66))
    demand -= .max(6)
    #expect(demand == .max(60))
    demand -= 61
    #expect(demand == .none)
    demand += .unlimited
    #expect(demand == .unlimited)
    demand -= .unlimited
    #expect(demand == .unlimited)
  }
}
