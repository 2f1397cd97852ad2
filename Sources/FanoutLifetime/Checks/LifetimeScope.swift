/// Where a check of lifetimes is told which objects it is about, and what holds them.
///
/// It is made by the check and passed to your closure. It is used by one thread at a time.
public final class LifetimeScope {
  struct Holding {
    let name: String?
    let value: Any
  }

  let tracker = LifetimeTracker()
  private(set) var holdings: [Holding] = []

  init() {}

  /// Names an object that the check is about.
  ///
  /// - Parameters:
  ///   - object: The object. It is not retained.
  ///   - name: What to call it; the name of its type if nil.
  ///   - fileID: Where it is tracked.
  ///   - filePath: Where it is tracked.
  ///   - line: Where it is tracked.
  ///   - column: Where it is tracked.
  /// - Returns: The object.
  @discardableResult
  public func track<Object: AnyObject>(
    _ object: Object, _ name: String? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Object {
    tracker.track(object, name, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Holds something for as long as the check lasts, or until the check drops it by name.
  ///
  /// - Parameters:
  ///   - value: What to hold: a cancellable, an object, an array of them.
  ///   - name: What to call it.
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
