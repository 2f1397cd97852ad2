import Fanout

public func run() async {
  let broadcast = Broadcast<Value, Never>()
  await broadcast.send(value)
  for await value in broadcast.values { print(value) }
}
