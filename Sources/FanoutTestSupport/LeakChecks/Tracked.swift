internal import FanoutLifetime

/// Tracks an object that must be gone at the end of the test.
///
/// Call it in tests with the trait `noLeaks` and in test cases of type ``NoLeaksTestCase``.
/// Elsewhere, or in a detached task or on a Dispatch queue without the test's tracker, it records
/// an issue that says so.
///
/// - Parameters:
///   - object: The object. It is not retained.
///   - name: The object's name in messages; the name of its type if nil.
///   - fileID: The file of the call.
///   - filePath: The path of the call's file.
///   - line: The line of the call.
///   - column: The column of the call.
/// - Returns: The object.
@discardableResult
public func tracked<Object: AnyObject>(
  _ object: Object, _ name: String? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) -> Object {
  let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
  guard let tracker = LifetimeTracker.current else {
    let name = name ?? "\(type(of: object))"
    LifetimeIssue(
      message: "`\(name)` is not tracked, because there is no tracker here: give the test the "
        + "trait .noLeaks; in a detached task or on a queue, take LifetimeTracker.current along "
        + "and call tracker.perform { … } there; in XCTest, call trackLifetime(of:)",
      place: place
    ).record()
    return object
  }
  tracker.track(object, name, at: place)
  return object
}
