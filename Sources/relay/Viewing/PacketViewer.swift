import Fanout

/// A subscriber that reads at a pace set by hand, and accounts for every value: it has received it,
/// or has been told that it missed it.
final class PacketViewer: Subscriber {
  typealias Input = Delivery<VideoPacket>
  typealias Failure = RelayError

  /// The number of values received.
  private(set) var receivedCount = 0
  /// The number of values missed.
  private(set) var missedCount = 0
  /// The frames received.
  private(set) var frames: [Int] = []
  /// For the first frame, and for the first one after each gap, whether it is a keyframe.
  private(set) var starts: [Bool] = []
  /// The greatest number of frames by which this viewer was behind another one.
  private(set) var greatestLag = 0
  /// The completion of this viewer; `nil` until it comes.
  private(set) var completion: Subscribers.Completion<RelayError>?
  /// The closure to call after each value.
  var whenReceived: (VideoPacket) -> Void = { _ in }

  private let initialDemand: Subscribers.Demand
  private let file: OutputFile?
  private var subscription: (any Subscription)?
  private var isStarting = true

  init(initialDemand: Subscribers.Demand, file: OutputFile? = nil) {
    self.initialDemand = initialDemand
    self.file = file
  }

  /// The number of values received or missed.
  var accountedCount: Int { receivedCount + missedCount }

  /// Asks for more values.
  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

  /// Returns by how many frames this viewer is behind another one.
  func lag(behind other: PacketViewer) -> Int {
    guard let last = frames.last, let newest = other.frames.last else { return 0 }
    return newest - last
  }

  /// Notes how far this viewer is behind another one, unless it has ended.
  func noteLag(behind other: PacketViewer) {
    if completion == nil { greatestLag = max(greatestLag, lag(behind: other)) }
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(initialDemand)
  }

  func receive(_ input: Delivery<VideoPacket>) -> Subscribers.Demand {
    switch input {
    case .replayed(let packet), .live(let packet):
      receive(packet)
      return .none
    case .missed(let count):
      // The number is unknown only to a viewer that joins behind a value that it knows.
      missedCount += count ?? 0
      isStarting = true
    case .caughtUp: break
    }
    // The pace is that of the values: an event beside them asks for the next one.
    return .max(1)
  }

  private func receive(_ packet: VideoPacket) {
    do {
      try file?.write(packet.bytes)
      note(packet)
      whenReceived(packet)
    } catch {
      subscription?.cancel()
      receive(completion: .failure(error))
    }
  }

  private func note(_ packet: VideoPacket) {
    receivedCount += 1
    guard case .picture(let unit) = packet else { return }
    frames.append(unit.index)
    if isStarting { starts.append(unit.isKeyframe) }
    isStarting = false
  }

  func receive(completion: Subscribers.Completion<RelayError>) {
    self.completion = completion
    subscription = nil
  }
}
