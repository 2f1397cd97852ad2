#if FANOUT_EXPLORER
  /// Which thread went on, at the places where it was not the one that ran already or the first.
  ///
  /// Its text, as in `17:1,21:2`, says at which choice which of the threads was taken; everywhere
  /// else it was the first.
  package struct Schedule: Sendable, CustomStringConvertible {
    /// One place where several threads could go on.
    struct Choice {
      let picked: Int
      let count: Int
    }

    private let picks: [Int: Int]

    init(_ trace: [Choice]) {
      var picks: [Int: Int] = [:]
      for (place, choice) in trace.enumerated() where choice.picked > 0 {
        picks[place] = choice.picked
      }
      self.picks = picks
    }

    /// Reads a schedule; nil if the text is none.
    package init?(_ text: String) {
      var picks: [Int: Int] = [:]
      for part in text.split(separator: ",") {
        let numbers = part.split(separator: ":").compactMap { Int($0) }
        guard numbers.count == 2 else { return nil }
        picks[numbers[0]] = numbers[1]
      }
      self.picks = picks
    }

    func pick(at place: Int) -> Int { picks[place] ?? 0 }

    package var description: String {
      picks.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ",")
    }

    /// The choices of the next schedule in depth-first order; nil after the last.
    static func following(_ trace: [Choice]) -> [Int]? {
      var picks = trace
      while let last = picks.last, last.picked + 1 >= last.count { picks.removeLast() }
      guard let last = picks.popLast() else { return nil }
      return picks.map(\.picked) + [last.picked + 1]
    }
  }
#endif
