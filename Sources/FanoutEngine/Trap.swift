/// Stops the program with a message unless a condition holds, in release builds too.
///
/// `precondition` prints nothing in a release build, where a misuse is hardest to find.
///
/// - Parameters:
///   - condition: The condition that the caller of a public function has to meet.
///   - message: The call with its argument, what is wrong with it, and what to pass instead.
package func trap(unless condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}
