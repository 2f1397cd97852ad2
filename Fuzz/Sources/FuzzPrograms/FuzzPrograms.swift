import FuzzedPrograms

/// Plays the program that the bytes stand for; stops the process if the contract is broken.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPrograms(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  do {
    try play(Array(UnsafeBufferPointer(start: bytes, count: count)))
  } catch {
    fatalError("\(error)")
  }
  return 0
}
