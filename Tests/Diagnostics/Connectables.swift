import Fanout

private struct Own<Base: ConnectablePublisher<Int, Never>>: ConnectablePublisher {
  typealias Output = Int
  typealias Failure = Never
  let base: Base
  func connect() -> any Cancellable { base.connect() }
  func receive<S: Subscriber<Int, Never>>(subscriber: S) { base.receive(subscriber: subscriber) }
}

private func sound(_ work: some ConnectablePublisher<Int, Never>) -> [AnyCancellable] {
  [AnyCancellable(work.connect()), AnyCancellable(Own(base: work).connect())]
}
