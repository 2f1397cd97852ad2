extension Program {
  /// The shortest and simplest program found for which a condition is still true.
  package func shortened(while isWanted: (Program) -> Bool) -> Program {
    var program = self
    var isShorter = true
    while isShorter {
      isShorter = false
      for index in program.steps.indices.reversed() where index < program.steps.count {
        var shorter = program
        shorter.steps.remove(at: index)
        if isWanted(shorter) { (program, isShorter) = (shorter, true) }
      }
      for simpler in program.simpler where isWanted(simpler) {
        (program, isShorter) = (simpler, true)
        break
      }
    }
    return program
  }

  /// The programs with one term or one guest made simpler.
  private var simpler: [Program] {
    var choices: [Program] = []
    func add(_ change: (inout Program) -> Void) {
      var program = self
      change(&program)
      if program != self { choices.append(program) }
    }
    add { $0.terms.ignoresCancel = false }
    add { $0.terms.isPolite = false }
    add { $0.terms.restart = [] }
    add { $0.terms.restart.remove(.failed) }
    if !terms.waits { add { $0.terms.backlog = nil } }
    add { $0.terms.isHeaded = false }
    if terms.kind != .byHand { add { $0.terms.kind = .sharedUntilReleased } }
    for index in steps.indices {
      guard case .subscribe(let name, var guest) = steps[index] else { continue }
      func addGuest(_ change: (inout Guest) -> Void) {
        let before = guest
        change(&guest)
        add { $0.steps[index] = .subscribe(name, guest) }
        guest = before
      }
      addGuest { $0.returns = nil }
      addGuest { $0.getsDeliveries = false }
      addGuest { $0.unwanted = nil }
      addGuest { $0 = Guest(.sink) }
      if guest.entrance != .sink { addGuest { $0.entrance = .plain } }
      if case .joining(let place, .some) = guest.entrance {
        addGuest { $0.entrance = .joining(place, nil) }
      }
      if case .joining(let place, let backlog) = guest.entrance, place != .replay {
        addGuest { $0.entrance = .joining(.replay, backlog) }
      }
    }
    return choices
  }
}
