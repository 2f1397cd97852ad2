import Fanout

/// The five ways to join a source that is already running.
enum SharingMode: String, CaseIterable {
  case unshared
  case share
  case latest
  case sinceKeyframe
  case all

  /// The call, as it stands in the code below.
  var call: String {
    switch self {
    case .unshared: "unshared"
    case .share: "share()"
    case .latest: "share(replay: .latest)"
    case .sinceKeyframe: "share(replay: .sinceKeyframe { $0.isKeyframe })"
    case .all: "share(replay: .all)"
    }
  }

  /// The name in the tables.
  var shortName: String {
    switch self {
    case .unshared: "unshared"
    case .share: "share()"
    default: ".\(rawValue)"
    }
  }

  /// The frames that a late viewer receives.
  var meaning: String {
    switch self {
    case .unshared: "its own run of the file, from the start"
    case .share: "only what comes next"
    case .latest: "the last frame, then what comes next"
    case .sinceKeyframe: "what it needs to start, then what comes next"
    case .all: "everything so far, then what comes next"
    }
  }

  /// Returns the source, made to be joined in this way.
  func publisher(of source: VideoSource) -> AnyPublisher<AccessUnit, RelayError> {
    switch self {
    case .unshared: source.eraseToAnyPublisher()
    case .share: source.share().eraseToAnyPublisher()
    case .latest: source.share(replay: .latest).eraseToAnyPublisher()
    case .sinceKeyframe:
      source.share(replay: .sinceKeyframe { $0.isKeyframe }).eraseToAnyPublisher()
    case .all: source.share(replay: .all).eraseToAnyPublisher()
    }
  }
}
