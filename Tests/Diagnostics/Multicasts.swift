import Fanout

private final class PlainSubject: Subject {
  typealias Output = Int
  typealias Failure = Never
  let base = PassthroughSubject<Int, Never>()
  var n = 0
  func send(_ value: Int) { base.send(value) }
  func send(completion: Subscribers.Completion<Never>) { base.send(completion: completion) }
  func send(subscription: any Subscription) { base.send(subscription: subscription) }
  func receive<S: Subscriber<Int, Never>>(subscriber: S) { base.receive(subscriber: subscriber) }
}

private let numbers = PassthroughSubject<Int, Never>()

private func shared() {
  let multicast = numbers.multicast(subject: PlainSubject())
  Task { _ = multicast.connect() }  // 6: sending value of non-Sendable type
  _ = multicast.connect()
}

private func made() {
  let subject = PlainSubject()
  // 6: capture of 'subject' with non-Sendable type 'PlainSubject'
  _ = numbers.multicast { subject }
}

private func sound() {
  let multicast = numbers.multicast { PassthroughSubject<Int, Never>() }
  Task { _ = multicast.connect() }
  _ = multicast.connect()
  _ = numbers.multicast(subject: PlainSubject()).autoconnect().sink { _ in }
}
