import FanoutCore
import FanoutTestSupport
import Testing

private typealias Demand = Subscribers.Demand

/// Demand as one would write it with numbers that never overflow; nil is unlimited.
private struct Model {
  var count: Int128?

  init(_ demand: Demand) { count = demand.max.map { Int128($0) } }

  init(_ count: Int128?, tooBig: Int128? = nil) {
    guard let count else {
      self.count = nil
      return
    }
    self.count = count > Int128(Int.max) ? tooBig : Swift.max(count, 0)
  }

  static func + (lhs: Model, rhs: Int128?) -> Model {
    guard let count = lhs.count, let rhs else { return Model(nil) }
    return Model(count + rhs)
  }

  static func - (lhs: Model, rhs: Int128?) -> Model {
    guard let count = lhs.count else { return Model(nil) }
    guard let rhs else { return Model(0) }
    return Model(count - rhs, tooBig: 0)
  }

  static func * (lhs: Model, rhs: Int128) -> Model {
    guard let count = lhs.count else { return Model(nil) }
    return Model(count * rhs)
  }

  // Greater than every `Int`, to compare with.
  var order: Int128 { count ?? Int128.max }
}

extension SeededChance {
  fileprivate mutating func number() -> Int {
    let edges = [0, 1, 2, 3, -1, -2, .max, .max - 1, .min, .min + 1, .max / 2, .max / 2 + 1]
    switch Int.random(in: 0..<4, using: &self) {
    case 0: return Int.random(in: .min ... .max, using: &self)
    case 1: return Int.random(in: -5...5, using: &self)
    default: return edges.randomElement(using: &self) ?? 0
    }
  }

  fileprivate mutating func demand() -> Demand {
    let number = number()
    return number < -1_000_000 ? .unlimited : .max(number < 0 ? -number : number)
  }
}

struct DemandModelTests {
  @Test(arguments: 1...8)
  func `arithmetic agrees with numbers that never overflow`(seed: Int) {
    var random = SeededChance(seed: UInt64(seed))
    for _ in 0..<2_000 {
      let (a, b, n) = (random.demand(), random.demand(), random.number())
      let model = Model(a)
      let note: Comment = "seed \(seed): \(a), \(b), \(n)"
      #expect(Model(a + b).count == (model + Model(b).count).count, note)
      #expect(Model(a - b).count == (model - Model(b).count).count, note)
      #expect(Model(a + n).count == (model + Int128(n)).count, note)
      #expect(Model(a - n).count == (model - Int128(n)).count, note)
      #expect(Model(a * n).count == (model * Int128(n)).count, note)
    }
  }

  @Test(arguments: 1...8)
  func `assignment agrees with the plain operators`(seed: Int) {
    var random = SeededChance(seed: UInt64(seed))
    for _ in 0..<1_000 {
      let (a, b, n) = (random.demand(), random.demand(), random.number())
      let note: Comment = "seed \(seed): \(a), \(b), \(n)"
      func after(_ change: (inout Demand) -> Void) -> Demand {
        var demand = a
        change(&demand)
        return demand
      }
      #expect(after { $0 += b } == a + b, note)
      #expect(after { $0 -= b } == a - b, note)
      #expect(after { $0 += n } == a + n, note)
      #expect(after { $0 -= n } == a - n, note)
      #expect(after { $0 *= n } == a * n, note)
    }
  }

  @Test(arguments: 1...8)
  func `comparisons agree with numbers that never overflow`(seed: Int) {
    var random = SeededChance(seed: UInt64(seed))
    for _ in 0..<1_000 {
      let (a, b, n) = (random.demand(), random.demand(), random.number())
      let (x, y, z) = (Model(a).order, Model(b).order, Int128(n))
      let note: Comment = "seed \(seed): \(a), \(b), \(n)"
      let both = [a == b, a != b, a < b, a <= b, a > b, a >= b]
      #expect(both == [x == y, x != y, x < y, x <= y, x > y, x >= y], note)
      let right = [a == n, a != n, a < n, a <= n, a > n, a >= n]
      #expect(right == [x == z, x != z, x < z, x <= z, x > z, x >= z], note)
      let left = [n == a, n != a, n < a, n <= a, n > a, n >= a]
      #expect(left == [z == x, z != x, z < x, z <= x, z > x, z >= x], note)
    }
  }
}
