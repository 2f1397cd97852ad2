import Fanout

/// The ways to treat a viewer that reads too slowly.
enum BacklogMode: String, CaseIterable {
  case unbounded
  case dropOldest
  case dropNewest
  case rejoin
  case wait
  case customError

  /// The greatest number of values that wait for a viewer, where there is a limit.
  static let size = 16

  /// The name in the tables.
  var shortName: String { ".\(rawValue)" }

  /// The policy, as it stands in the code below.
  var call: String {
    switch self {
    case .unbounded: ".unbounded"
    case .customError: ".size(\(Self.size), whenFull: .customError { .tooSlow })"
    default: ".size(\(Self.size), whenFull: .\(rawValue))"
    }
  }

  /// The effect on a viewer that reads too slowly.
  var meaning: String {
    switch self {
    case .unbounded: "everything waits for it"
    case .dropOldest: "the oldest of what waits is dropped"
    case .dropNewest: "what comes next is dropped"
    case .rejoin: "it goes on at the newest keyframe"
    case .wait: "the file is read as slowly as it reads"
    case .customError: "it fails"
    }
  }

  /// Whether its frames always decode: it loses none, or goes on at a keyframe, or ends.
  var promisesDecoding: Bool { self != .dropOldest && self != .dropNewest }

  var backlog: Backlog<VideoPacket, RelayError> {
    switch self {
    case .unbounded: .unbounded
    case .dropOldest: .size(Self.size, whenFull: .dropOldest)
    case .dropNewest: .size(Self.size, whenFull: .dropNewest)
    case .rejoin: .size(Self.size, whenFull: .rejoin)
    case .wait: .size(Self.size, whenFull: .wait)
    case .customError: .size(Self.size, whenFull: .customError { .tooSlow })
    }
  }
}
