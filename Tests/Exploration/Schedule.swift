#if FANOUT_EXPLORER
  /// The threads chosen at the steps where the choice was not the default one.
  ///
  /// The default is the running thread, or else the first. The text of a schedule, as in
  /// `17:1,21:2`, gives the index of the choice at a step; at every other step the default was taken.
  package struct Schedule: Sendable, CustomStringConvertible {
    /// A step at which several threads could continue.
    struct Choice {
      let step: Int
      let picked: Int
      let count: Int
    }

    private var picks: [Int: Int] = [:]

    init(_ choices: some Sequence<Choice>) {
      for choice in choices where choice.picked > 0 { picks[choice.step] = choice.picked }
    }

    /// Reads a schedule; nil if the text is none.
    package init?(_ text: String) {
      for part in text.split(separator: ",") {
        let numbers = part.split(separator: ":").compactMap { Int($0) }
        guard numbers.count == 2 else { return nil }
        picks[numbers[0]] = numbers[1]
      }
    }

    func pick(at step: Int) -> Int { picks[step] ?? 0 }

    package var description: String {
      picks.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ",")
    }

    /// Returns the next schedule in depth-first order; nil after the last.
    static func following(_ choices: [Choice]) -> Schedule? {
      var rest = choices[...]
      while let last = rest.last, last.picked + 1 >= last.count { rest.removeLast() }
      guard let last = rest.popLast() else { return nil }
      var next = Schedule(rest)
      next.picks[last.step] = last.picked + 1
      return next
    }
  }
#endif
