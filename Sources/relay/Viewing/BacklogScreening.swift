import Fanout

/// One showing of a file to a fast viewer and to one that reads too slowly, under one backlog.
struct BacklogScreening {
  /// The number of values that the fast viewer receives while the slow one takes one.
  static let pace = 2

  let mode: BacklogMode
  /// The viewer that takes every value at once.
  let fast = PacketViewer(initialDemand: .unlimited)
  /// The viewer that reads too slowly.
  let slow: PacketViewer
  private let source: VideoSource

  /// Whether the backlog ended the slow viewer.
  var slowFailed: Bool { slow.completion == .failure(.tooSlow) }

  init(_ mode: BacklogMode, of path: String, folder: OutputFolder? = nil) throws(RelayError) {
    self.mode = mode
    // Keyframes stay as they are: parameter sets reach the viewers as values of their own.
    source = VideoSource(path: path, completesKeyframes: false)
    let file = try folder?.file(named: Self.fileName(mode))
    slow = PacketViewer(initialDemand: .none, file: file)
  }

  static func fileName(_ mode: BacklogMode) -> String { "slow-\(mode.rawValue).h264" }

  /// Plays the file from its start to its end.
  ///
  /// The fast viewer lets the slow one in with the first keyframe, and lets it take one value for
  /// every few of its own: that is exact, and needs no clock. If the source then waits for the slow
  /// viewer, it takes its next value, one at a time; after the last frame it takes all that is
  /// left.
  func play() throws(RelayError) {
    let shared = source.flatMap(maxPublishers: .max(1)) { $0.packets.publisher }
      .share(
        replay: .sinceKeyframe { $0.isKeyframe }.headed { $0.header }, backlog: mode.backlog)
    var isAlone = true
    fast.whenReceived = { [fast, slow] packet in
      if isAlone, packet.isKeyframe {
        isAlone = false
        shared.deliveries().receive(subscriber: slow)
      }
      slow.noteLag(behind: fast)
      if fast.receivedCount.isMultiple(of: Self.pace) { slow.request(.max(1)) }
    }
    shared.deliveries().receive(subscriber: fast)
    while fast.completion == nil {
      let before = slow.accountedCount
      slow.request(.max(1))
      guard slow.accountedCount > before else { break }
    }
    fast.whenReceived = { _ in }
    slow.request(.unlimited)
    try check(isAlone ? [fast] : [fast, slow])
  }

  /// Throws unless each viewer has come to an end that it should come to.
  private func check(_ viewers: [PacketViewer]) throws(RelayError) {
    for viewer in viewers {
      switch viewer.completion {
      case .finished, .failure(.tooSlow): continue
      case .failure(let error): throw error
      case nil: throw .unfinished("the backlog \(mode.shortName)")
      }
    }
  }
}
