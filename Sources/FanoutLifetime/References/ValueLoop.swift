/// The object behind a `for await` loop, at which its tasks wait for the next value.
package protocol ValueLoop: AnyObject {
  /// The call that makes the sequence, as it is written in the user's code.
  static var call: String { get }
  /// Whether it has released its upstream.
  var isOver: Bool { get }
  /// The number of tasks that wait at it now.
  var waitingTasks: Int { get }
}
