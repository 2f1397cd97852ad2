import Fanout
import FanoutContract
import TestThreads

/// A subject that holds a lock over everything, as one made thread-safe in a hurry.
final class LockingSubject: Subject, Sendable {
  typealias Output = Int
  typealias Failure = Never

  private let lock = UserLock()
  private let inner = PassthroughSubject<Int, Never>()

  func send(subscription: any Subscription) { inner.send(subscription: subscription) }
  func send(_ value: Int) { lock.hold { inner.send(value) } }
  func send(completion: Subscribers.Completion<Never>) {
    lock.hold { inner.send(completion: completion) }
  }
  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    inner.receive(subscriber: subscriber)
  }
}
