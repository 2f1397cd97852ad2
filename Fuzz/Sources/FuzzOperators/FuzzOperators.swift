import FanoutContract
import OperatorModel

/// Plays the chain of operators that the bytes stand for; stops the process if it leaves the reference.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOperators(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var choices = ByteChoices(Array(UnsafeBufferPointer(start: bytes, count: count)))
  let program = Program(by: &choices)
  if let difference = program.difference() {
    fatalError("It goes wrong \(difference)\n\n\(program.test(named: "a fuzzed program"))")
  }
  return 0
}
