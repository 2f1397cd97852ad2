// Invariants of the runtime's entry points: they are the ones that `Mirror` is made of, called with
// values of enums that can be copied, and the name is freed once.

/// The value that goes with an enum's case.
enum EnumPayload {
  /// Calls `body` with the place of the payload, as an `Any`, of the enum at `address`.
  static func visit(
    at address: UnsafeRawPointer, _ type: any Any.Type, _ body: (UnsafeRawPointer) -> Void
  ) {
    func open<Value>(_: Value.Type) {
      let value = address.assumingMemoryBound(to: Value.self).pointee
      guard count(value, type: type) > 0 else { return }
      var name: UnsafePointer<CChar>?
      var free: Free?
      let payload = child(of: value, type: type, index: 0, name: &name, free: &free)
      free?(name)
      withUnsafePointer(to: payload) { body(UnsafeRawPointer($0)) }
    }
    open(type)
  }

  private typealias Free = @convention(c) (UnsafePointer<CChar>?) -> Void

  @_silgen_name("swift_reflectionMirror_count")
  private static func count<Value>(_ value: Value, type: any Any.Type) -> Int

  @_silgen_name("swift_reflectionMirror_subscript")
  private static func child<Value>(
    of value: Value, type: any Any.Type, index: Int,
    name: UnsafeMutablePointer<UnsafePointer<CChar>?>, free: UnsafeMutablePointer<Free?>
  ) -> Any
}
