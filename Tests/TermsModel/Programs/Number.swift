/// The values of the programs: numbers that are counted up, whose remainders say what they are.
///
/// A number is also its own place in the order, because a later value is a greater one.
package enum Number {
  /// Whether a subscriber can start at a number.
  package static func isKeyframe(_ number: Int) -> Bool { number % 5 == 0 }

  /// Returns the key of a header, and nil for any other number.
  package static func headerKey(_ number: Int) -> Int? {
    number % 7 < 3 ? number % 7 : nil
  }

  /// Returns what a number costs, 0 to 5; a header costs 2.
  package static func cost(_ number: Int) -> Int { headerKey(number) == nil ? number % 6 : 2 }

  /// Returns the key by which the newest number is kept.
  package static func stateKey(_ number: Int) -> Int { number % 3 }
}
