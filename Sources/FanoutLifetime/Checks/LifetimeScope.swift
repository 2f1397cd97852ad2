/// The objects that a lifetime check is about, and the values that hold them.
///
/// The check makes the scope and passes it to your closure. One thread at a time uses it.
public final class LifetimeScope {
  struct Holding {
    let name: String?
    let value: Any
  }

  let tracker = LifetimeTracker()
  private(set) var holdings: [Holding] = []

  init() {}

  /// Tracks an object that the check is about.
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
  public func track<Object: AnyObject>(
    _ object: Object, _ name: String? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Object {
    tracker.track(object, name, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Holds a value for as long as the check lasts, or until the check drops it by name.
  ///
  /// - Parameters:
  ///   - value: The value to hold: a cancellable, an object, an array of them.
  ///   - name: The value's name.
  /// - Returns: The value.
  @discardableResult
  public func hold<Value>(_ value: Value, _ name: String? = nil) -> Value {
    holdings.append(Holding(name: name, value: value))
    return value
  }

  func isHolding(_ name: String) -> Bool { holdings.contains { $0.name == name } }

  func drop(where isDropped: (Holding) -> Bool) { holdings.removeAll(where: isDropped) }
}

@available(*, unavailable)
extension LifetimeScope: Sendable {}
