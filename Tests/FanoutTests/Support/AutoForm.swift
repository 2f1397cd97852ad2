import Fanout
import TestFixtures
import Testing

/// Every way to share that connects by itself.
enum AutoForm: CaseIterable, CustomTestStringConvertible, Sendable {
  case share, shareNone, shareLatest, shareAll, shareLast, shareSinceKeyframe, shareCustom
  case multicastSubject, multicastReplaySubject, multicastUserSubject, multicastReplay
  case makeConnectable

  static let allCases: [AutoForm] = [
    .share, .shareNone, .shareLatest, .shareAll, .shareLast, .shareSinceKeyframe, .shareCustom,
    .multicastSubject, .multicastReplaySubject, .multicastUserSubject, .multicastReplay,
    .makeConnectable,
  ]

  /// The policy of replay, if each connection has a memory of its own.
  var policy: Policy? {
    switch self {
    case .share, .shareNone, .makeConnectable: Policy.none
    case .shareLatest, .multicastReplay: .latest
    case .shareAll: .all
    case .shareLast: .last
    case .shareSinceKeyframe: .sinceKeyframe
    case .shareCustom: .custom
    case .multicastSubject, .multicastReplaySubject, .multicastUserSubject: nil
    }
  }

  func make<P: Publisher<Int, Never>>(_ upstream: P) -> AnyPublisher<Int, Never> {
    switch self {
    case .share: upstream.share().eraseToAnyPublisher()
    case .shareNone: upstream.share(replay: .none).eraseToAnyPublisher()
    case .shareLatest: upstream.share(replay: .latest).eraseToAnyPublisher()
    case .shareAll: upstream.share(replay: .all).eraseToAnyPublisher()
    case .shareLast: upstream.share(replay: Policy.last.replay).eraseToAnyPublisher()
    case .shareSinceKeyframe:
      upstream.share(replay: Policy.sinceKeyframe.replay).eraseToAnyPublisher()
    case .shareCustom: upstream.share(replay: Policy.custom.replay).eraseToAnyPublisher()
    case .multicastSubject:
      upstream.multicast(subject: PassthroughSubject<Int, Never>()).autoconnect()
        .eraseToAnyPublisher()
    case .multicastReplaySubject:
      upstream.multicast { ReplaySubject<Int, Never>(.last(2)) }.autoconnect()
        .eraseToAnyPublisher()
    case .multicastUserSubject:
      upstream.multicast { UserSubject<Int, Never>() }.autoconnect().eraseToAnyPublisher()
    case .multicastReplay: upstream.multicast(replay: .latest).autoconnect().eraseToAnyPublisher()
    case .makeConnectable: upstream.makeConnectable().autoconnect().eraseToAnyPublisher()
    }
  }

  var testDescription: String { "\(self)" }
}
