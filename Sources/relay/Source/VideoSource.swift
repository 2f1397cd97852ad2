import Fanout

/// A publisher of the access units of an H.264 file; each subscriber has a read of its own.
///
/// It reads only what is asked for, and one access unit more: so it sees the end without being
/// asked. After the last access unit it finishes; it fails if the file cannot be opened, read or
/// understood.
struct VideoSource: Publisher {
  typealias Output = AccessUnit
  typealias Failure = RelayError

  let path: String
  var pieceSize = 16_384
  /// Counts the subscriptions, which is how often the file is read.
  let reads = ReadCounter()

  func receive<S: Subscriber>(subscriber: S)
  where S.Input == AccessUnit, S.Failure == RelayError {
    reads.increment()
    do {
      let reader = try AccessUnitReader(path: path, pieceSize: pieceSize)
      let subscription = VideoSubscription(reader: reader, subscriber: subscriber)
      subscriber.receive(subscription: subscription)
      // Not before: what is asked for in there is delivered when that call has returned.
      subscription.start()
    } catch {
      // A subscriber gets a subscription first, always; this one has nothing to give or to cancel.
      subscriber.receive(subscription: Subscriptions.empty)
      subscriber.receive(completion: .failure(error))
    }
  }
}
