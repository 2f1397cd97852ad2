/// Returns the shortest failing program that the shortenings find.
///
/// - Parameters:
///   - program: A program that fails.
///   - shortenings: The ways to shorten a program: each returns its choices by number, and nil when
///     there are no more. Together they must come to an end.
///   - fails: The closure that returns whether a program fails, called repeatedly.
/// - Returns: A program that fails, and that no single shortening leaves failing.
package func shortest<Program: Equatable>(
  _ program: Program, by shortenings: [(Program) -> (Int) -> Program?],
  while fails: (Program) -> Bool
) -> Program {
  var best = program
  var isImproved = true
  while isImproved {
    isImproved = false
    for shorten in shortenings {
      var index = 0
      while let shorter = shorten(best)(index) {
        if shorter != best, fails(shorter) {
          (best, isImproved) = (shorter, true)
        } else {
          index += 1
        }
      }
    }
  }
  return best
}
