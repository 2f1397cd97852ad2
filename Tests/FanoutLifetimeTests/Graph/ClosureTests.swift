import FanoutLifetime
import Testing

/// Captures of closures are found, whatever the optimiser makes of them, and nothing else is.
struct ClosureTests {
  @Test func `one captured object`() {
    let target = Target()
    expectFound(["Target"]) { target.touch() }
    expectFound(["Target"], target.incrementing())
  }

  @Test func `weak and unowned captures are no references`() {
    let target = Target()
    expectFound([]) { [weak target] in target?.touch() }
    expectFound([]) { [unowned target] in target.touch() }
    expectFound([]) { [unowned(unsafe) target] in target.touch() }
    expectFound(["Other"]) { [weak target, other = Other()] in
      target?.touch()
      other.touch()
    }
    expectFound(["Other"]) { [other = Other(), unowned target] in
      target.touch()
      other.touch()
    }
    withExtendedLifetime(target) {}
  }

  @Test func `objects among numbers, texts, optionals, tuples and existentials`() {
    let (target, other) = (Target(), Other())
    let (number, small, text) = (opaque(3), opaque(UInt8(1)), opaque("a text that is long enough"))
    let optional = opaque(Optional(target))
    let nothing = opaque(Target?.none)
    let pair = opaque((small, other))
    let existential: any Touchable = opaque(other)
    let anything: Any = opaque(target)
    expectFound(["Target", "Other"]) {
      use(number, small, text, optional, nothing, pair, existential)
    }
    expectFound(["Target"]) { use(small, number, anything, text) }
    expectFound([]) { use(number, small, text, nothing) }
  }

  @Test func `references that are bound to objects`() {
    let delegate: any Touchable & AnyObject = opaque(Target())
    let optional: (any Touchable & AnyObject)? = opaque(Other())
    let number = opaque(3)
    expectFound(["Target"]) { delegate.touch() }
    expectFound(["Target", "Other"]) { use(number, delegate, optional) }
    expectFound(["Other"]) { optional?.touch() }
  }

  @Test func `objects in arrays, sets, dictionaries, structs and enums`() {
    let (target, other) = (Target(), Other())
    let array = opaque([target])
    let dictionary = opaque(["other": Case.indirectly(other, 1)])
    let wide = opaque(Wide(numbers: (1, 2, 3, 4), target: target))
    let touchable: any Touchable = wide
    expectFound(["Target", "Other"]) { use(array, dictionary) }
    let numbers = opaque([1, 2, 3])
    let set = opaque(Set([Hashed(object: Box(target))]))
    expectFound(["Target"]) { use(array) }
    expectFound(["Other"]) { use(dictionary) }
    expectFound(["Box", "Target"]) { use(set) }
    expectFound([]) { use(numbers) }
    expectFound(["Target"]) { use(wide) }
    expectFound(["Target"]) { use(opaque(1), touchable) }
    expectFound(["Other"]) { use(opaque(Case.directly(other))) }
  }

  @Test func `nested closures, captured variables and method references`() {
    let (target, other) = (Target(), Other())
    let inner = opaque { target.touch() }
    expectFound(["Target", "Other"]) {
      inner()
      other.touch()
    }
    var variable: Target? = target
    var count = opaque(1)
    let changing = opaque {
      count += 1
      variable?.touch()
      if count > 5 { variable = nil }
    }
    changing()
    expectFound(["Target"], changing)
    expectFound(["Target"], target.touch)
    let optional = opaque(Optional(inner))
    expectFound(["Target"]) { optional?() }
  }

  @Test func `a closure that holds itself`() {
    let target = Target()
    var recursive: (Int) -> Void = { _ in }
    recursive = { count in
      target.touch()
      if count > 0 { recursive(count - 1) }
    }
    recursive(2)
    let held = recursive
    expectFound(["Target"]) { held(1) }
    recursive = { _ in }
  }

  @Test func `generic captures`() {
    expectFound(["Target"], touching(Target()))
    expectFound(["Box", "Target"], touching(Box(Target())))
    expectFound(["Box", "Target"], showing([Target()], 1, Box("text")))
    expectFound(["Box"], Box(1).reading())
    expectFound(["Target", "Box"], Box(1).writing(2, Target()))
  }

  @Test func `closures stored in generic classes, optionals and structs`() {
    let target = Target()
    let holder = Holder<Int, Target> { _, _ in target.touch() }
    #expect(OwnershipGraph(of: holder).nodes.map(\.name) == ["Holder", "Target"])
    #expect(OwnershipGraph(of: holder).edges.map(\.role) == ["action"])
    let method = Holder<Int, String>(target.take)
    #expect(OwnershipGraph(of: method).nodes.map(\.name) == ["Holder", "Target"])
    let weakly = Holder<Int, String> { [weak target] _, _ in target?.touch() }
    #expect(OwnershipGraph(of: weakly).nodes.map(\.name) == ["Holder"])
    let optional = OptionalHolder(action: target.touch)
    #expect(OwnershipGraph(of: optional).nodes.map(\.name) == ["OptionalHolder", "Target"])
    #expect(OwnershipGraph(of: OptionalHolder(action: nil)).nodes.count == 1)
  }

  @Test func `closures that capture metatypes, functions of C and nothing`() {
    let target = Target()
    let type: any Touchable.Type = opaque(Target.self)
    let thin = Target.self
    expectFound(["Target"]) { use(type, thin, target) }
    let pointer: @convention(c) (Int) -> Int = { $0 + 1 }
    expectFound(["Target"]) { use(pointer, target) }
    expectFound([]) {}
    let asynchronous: @Sendable () async -> Void = { [other = Other()] in other.touch() }
    expectFound(["Other"]) { use(asynchronous) }
  }

  @Test func `what cannot be told is left out, and nothing crashes`() {
    let target = Target()
    // Their layout is known at run time only.
    let (_, continuation) = AsyncStream<Int>.makeStream()
    let now = ContinuousClock.now
    noteOnly { use(continuation, target) }
    noteOnly { use(now, target) }
    noteOnly(packed(1, "a", target))
    var nested: () -> Void = { use(target) }
    for _ in 0..<100_000 {
      let inner = nested
      nested = { inner() }
    }
    noteOnly(nested)
    // Released one by one: releasing a long chain at once overflows the stack, in any program.
    Self.kept.append(nested)
  }

  nonisolated(unsafe) private static var kept: [() -> Void] = []

  private func packed<each Value>(_ values: repeat each Value) -> () -> Void {
    { (repeat use(each values)) }
  }

  private func noteOnly(_ closure: @escaping () -> Void) {
    let names = Set(OwnershipGraph(of: OptionalHolder(action: closure)).nodes.map(\.name))
    #expect(names.isSuperset(of: ["OptionalHolder"]))
  }

  private func expectFound(
    _ names: [String], _ closure: @escaping () -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    closure()
    let found = OwnershipGraph(of: OptionalHolder(action: closure)).nodes.dropFirst().map(\.name)
    #expect(Set(found) == Set(names), sourceLocation: sourceLocation)
    #expect(found.count == names.count, sourceLocation: sourceLocation)
  }
}
