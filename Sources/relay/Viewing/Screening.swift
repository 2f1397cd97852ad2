import Fanout

/// One showing of a file in one mode, in which viewers tune in while it runs and record their
/// frames.
struct Screening {
  let mode: SharingMode
  let viewers: [Viewer]
  private let source: VideoSource

  /// The number of times the file was read for all viewers together.
  var readCount: Int { source.reads.count }

  init(_ mode: SharingMode, of path: String, joinPoints: [Int], folder: OutputFolder? = nil)
    throws(RelayError)
  {
    self.mode = mode
    source = VideoSource(path: path)
    var viewers: [Viewer] = []
    for (index, joinPoint) in joinPoints.enumerated() {
      let file = try folder?.file(named: Self.fileName(mode, viewer: index + 1))
      viewers.append(Viewer(joinedAt: joinPoint, file: file))
    }
    self.viewers = viewers
  }

  static func fileName(_ mode: SharingMode, viewer number: Int) -> String {
    "\(mode.rawValue)-viewer\(number).h264"
  }

  /// Plays the file from its start to its end.
  ///
  /// A file is not a live camera: it runs as fast as viewers take it, and would end before another
  /// viewer could tune in by the clock. So the first viewer lets the others in, from inside its
  /// `receive`. That is exact: a viewer that subscribes there joins after this frame and before the
  /// next.
  func play() throws(RelayError) {
    guard let first = viewers.first else { return }
    let publisher = mode.publisher(of: source)
    let late = viewers.dropFirst()
    first.whenReceived = { unit in
      for viewer in late where viewer.joinedAt == unit.index + 1 {
        publisher.receive(subscriber: viewer)
      }
    }
    publisher.receive(subscriber: first)
    first.whenReceived = { _ in }
    for viewer in viewers {
      switch viewer.completion {
      case .finished: continue
      case .failure(let error): throw error
      case nil: throw .unfinished(mode.call)
      }
    }
  }
}
