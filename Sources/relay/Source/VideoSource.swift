import Fanout

/// A publisher of the access units of an H.264 file, which reads the file anew for each subscriber.
///
/// It reads only the requested access units and one more, so that it detects the end without a
/// request. After the last access unit it finishes; it fails if the file cannot be opened, read or
/// understood.
struct VideoSource: Publisher {
  typealias Output = AccessUnit
  typealias Failure = RelayError

  let path: String
  var pieceSize = 16_384
  /// Whether a keyframe is given the parameter sets that it does not carry itself.
  var completesKeyframes = true
  /// The counter of the subscriptions, each of which reads the file.
  let reads = ReadCounter()

  func receive<S: Subscriber>(subscriber: S)
  where S.Input == AccessUnit, S.Failure == RelayError {
    reads.increment()
    do {
      let reader = try AccessUnitReader(
        path: path, pieceSize: pieceSize, completesKeyframes: completesKeyframes)
      let subscription = VideoSubscription(reader: reader, subscriber: subscriber)
      subscriber.receive(subscription: subscription)
      // Not earlier: a request inside `receive(subscription:)` is served after that call has
      // returned.
      subscription.start()
    } catch {
      // A subscriber must receive a subscription first; this one has nothing to give or to cancel.
      subscriber.receive(subscription: Subscriptions.empty)
      subscriber.receive(completion: .failure(error))
    }
  }
}
