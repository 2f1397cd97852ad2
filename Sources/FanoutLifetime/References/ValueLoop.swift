/// The object behind a `for await` loop, at which its tasks wait for the next value.
package protocol ValueLoop: AnyObject {
  /// The call that makes the sequence, as it is written in the user's code.
  static var call: String { get }
  /// Whether it has let go of its upstream.
  var isOver: Bool { get }
  /// How many tasks wait at it now.
  var waitingTasks: Int { get }
}
