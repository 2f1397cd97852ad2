#if FANOUT_EXPLORER
  import Fanout

  /// The events of a loop that has joined behind an id, beside what the contract says of them (H1, H2).
  struct SpliceWalk {
    /// What a loop may get.
    struct Terms {
      /// The id behind which it has joined; nil if it has everything to get.
      var after: Int?
      /// The ids that were live, in their order.
      var sent: [Int]
      /// The ids that were live for certain when it joined.
      var early: Set<Int> = []
      /// Whether its backlog can drop values, so that it goes back to the store.
      var canLag = false
      /// Whether values may be missing.
      var canMiss = false
      /// Whether it has got its end, or everything that there is so far.
      var isComplete = true
    }

    private(set) var problems: [String] = []
    private let terms: Terms
    private var rest: ArraySlice<Int>
    private var last: Int?
    private var hasCaughtUp = false
    /// The ids that have not come, and the number of those that were told; nil if that is unknown.
    private var (lost, told): ([Int], Int?) = ([], 0)

    init(_ events: [Delivery<Int>], _ terms: Terms) {
      self.terms = terms
      last = terms.after
      rest = terms.sent[...]
      if let after = terms.after { rest = rest.drop { $0 <= after } }
      for event in events { follow(event) }
      guard terms.isComplete else { return }
      pass(to: .max)
      compare()
      if !hasCaughtUp { problems.append("never caught up") }
    }

    private mutating func follow(_ event: Delivery<Int>) {
      switch event {
      case .caughtUp:
        if hasCaughtUp { problems.append("caught up twice") }
        hasCaughtUp = true
        // What a gap has hidden may be still untold here, but not what the loop is to get.
        if !terms.canMiss, let early = rest.first(where: terms.early.contains) {
          problems.append("caught up in front of \(early)")
        }
      case .missed(let count):
        if !terms.canMiss { problems.append("missed \(count.map { "\($0)" } ?? "some")") }
        told = count.flatMap { count in told.map { $0 + count } }
      case .replayed(let id):
        if hasCaughtUp, !terms.canLag { problems.append("\(id) behind caughtUp") }
        arrive(id)
      case .live(let id):
        if terms.early.contains(id) { problems.append("\(id) is from before") }
        if !hasCaughtUp { problems.append("\(id) in front of caughtUp") }
        arrive(id)
        compare()
      }
    }

    private mutating func arrive(_ id: Int) {
      if let last, id <= last { problems.append("\(id) behind \(last)") }
      last = id
      pass(to: id)
      if rest.first == id { rest.removeFirst() }
    }

    private mutating func pass(to id: Int) {
      let passed = rest.prefix { $0 < id }
      rest.removeFirst(passed.count)
      lost += passed
    }

    /// Compares what has not come with what was told.
    private mutating func compare() {
      if let told, told != lost.count { problems.append("told \(told), and \(lost) are lost") }
      (lost, told) = ([], 0)
    }
  }
#endif
