import Fanout

public func run() -> AnyCancellable {
  let shared = SharedByKey { (_: Int) in Just(value) }
  return shared[1].sink { print($0) }
}
