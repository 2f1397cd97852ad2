/// The floor: closures in an array, called in a loop, as a user would write it by hand.
final class BareLoop<Value> {
  var sinks: [(Value) -> Void] = []

  @inline(never)
  func send(_ value: Value) {
    for sink in sinks { sink(value) }
  }
}
