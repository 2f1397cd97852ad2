import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Where a share runs, or releases, code that is not the library's.
enum Place: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case predicate, record, contents, makeCache, cacheDeinit, createSubject
  case evictedByLast, replacedByLatest, droppedAtKeyframe, releasedAtClose, releasedUndelivered
  case subscriberDeinit, upstreamCancel, upstreamSubscribe

  var testDescription: String { rawValue }
}

/// The action of that code on the same share.
enum Deed: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case send, subscribe, request, cancel, connect, disconnect, finish
  /// Takes a lock that another thread holds while it uses the share.
  case lock

  var testDescription: String { rawValue }
}

/// A share that is taken through all places, with one deed done at one of them.
final class UserCodeScene: Sendable {
  private typealias Upstream = TestPublisher<Token, Never>

  private let deed: Deed
  private let armed: Shared<Bool>
  private let isDone = Gate()
  private let upstream = Shared<Upstream?>(nil)
  private let plain = Shared<AnyPublisher<Token, Never>?>(nil)
  private let connectIt = Shared<() -> AnyCancellable>({ AnyCancellable {} })
  private let claim = Shared<AnyCancellable?>(nil)
  private let kept = Notes<AnyCancellable>()
  private let first = TestSubscriber<Int, Never>()
  private let victim = TestSubscriber<Int, Never>()
  private let slow = TestSubscriber<Int, Never>(initialDemand: .none)
  private let lock = UserLock()

  init(_ place: Place, _ deed: Deed) {
    self.deed = deed
    armed = Shared(true)
    let upstream = Upstream(
      whenCancelled: { [unowned self] _ in if place == .upstreamCancel { act() } })
    self.upstream.value = upstream
    if place == .createSubject {
      use(
        upstream.multicast { [unowned self] () -> PassthroughSubject<Token, Never> in
          act()
          return PassthroughSubject()
        })
    } else if place == .upstreamSubscribe {
      use(
        Deferred { [unowned self] () -> Upstream in
          act()
          return upstream
        }.multicast(replay: .all))
    } else {
      use(upstream.multicast(replay: replay(for: place)))
    }
  }

  private func use<P: ConnectablePublisher<Token, Never>>(_ connectable: P) {
    plain.value = connectable.eraseToAnyPublisher()
    connectIt.value = { AnyCancellable(connectable.connect()) }
  }

  private func replay(for place: Place) -> Replay<Token> {
    switch place {
    case .predicate:
      .sinceKeyframe { [unowned self] token in
        if token.id == 2 { act() }
        return token.id == 2
      }
    case .record, .contents, .makeCache, .cacheDeinit:
      .custom { [unowned self] () -> SpyCache<Token> in
        if place == .makeCache { act() }
        return SpyCache(
          whenRecording: { [unowned self] _ in if place == .record { act() } },
          whenRead: { [unowned self] values in
            if place == .contents { act() }
            return values
          },
          witness: Token { [weak self] in if place == .cacheDeinit { self?.act() } })
      }
    case .evictedByLast: .last(1)
    case .replacedByLatest: .latest
    case .droppedAtKeyframe: .sinceKeyframe { $0.id == 3 }
    default: .all
    }
  }

  /// Does the deed, once.
  private func act() {
    let isFirst = armed.change { armed in
      defer { armed = false }
      return armed
    }
    guard isFirst else { return }
    switch deed {
    case .send: upstream.value?.send(Token(100))
    case .subscribe:
      if let sink = plain.value?.sink(receiveValue: { _ in }) { kept.append(sink) }
    case .request: slow.request(.max(1))
    case .cancel: victim.cancel()
    case .connect: kept.append(connectIt.value())
    case .disconnect: claim.value?.cancel()
    case .finish: upstream.value?.send(completion: .finished)
    case .lock:
      let isHeld = Gate()
      let other = TestThread { [self] in
        lock.hold {
          isHeld.open()
          upstream.value?.send(Token(100))
          if let sink = plain.value?.sink(receiveValue: { _ in }) { kept.append(sink) }
          slow.request(.max(1))
          victim.cancel()
          kept.append(connectIt.value())
        }
      }
      #expect(isHeld.wait())
      #expect(lock.hold {}, "a lock of the library's is held here")
      #expect(other.join())
    }
    isDone.open()
  }

  private func send(_ id: Int, as place: Place) {
    let isWatched: Bool =
      switch place {
      case .evictedByLast, .replacedByLatest, .droppedAtKeyframe, .releasedAtClose,
        .releasedUndelivered:
        id == 1
      default: false
      }
    upstream.value?.send(Token(id) { [weak self] in if isWatched { self?.act() } })
  }

  /// Takes the share through everything.
  func play(_ place: Place) {
    let publisher = plain.value
    publisher?.map(\.id).subscribe(first)
    publisher?.map(\.id).subscribe(victim)
    if place == .releasedUndelivered { publisher?.map(\.id).subscribe(slow) }
    do {
      let token = Token { [weak self] in if place == .subscriberDeinit { self?.act() } }
      let leaver = publisher?.sink { _ in withExtendedLifetime(token) {} }
      claim.value = connectIt.value()
      for id in 1...3 { send(id, as: place) }
      leaver?.cancel()
    }
    if place != .releasedUndelivered { publisher?.map(\.id).subscribe(slow) }
    let late = publisher?.sink { _ in }
    claim.value?.cancel()
    if place == .releasedUndelivered { slow.cancel() }
    kept.all.forEach { $0.cancel() }
    claim.value = connectIt.value()
    for id in 4...5 { send(id, as: place) }
    upstream.value?.send(completion: .finished)
    late?.cancel()
    slow.cancel()
    claim.value = nil
    check()
  }

  private func check() {
    #expect(isDone.isOpen, "the place was never come to")
    #expect(first.completion == .finished)
    let own = first.values.filter { $0 < 100 }
    #expect(own == own.sorted())
    #expect(Set(own).count == own.count)
    #expect(first.violations + victim.violations + slow.violations == [])
    switch deed {
    case .subscribe, .request, .cancel, .lock: #expect(own == [1, 2, 3, 4, 5])
    case .send where first.values.contains(100): #expect(own == [1, 2, 3, 4, 5])
    default: break
    }
    first.cancel()
    victim.cancel()
    kept.all.forEach { $0.cancel() }
    plain.value = nil
    connectIt.value = { AnyCancellable {} }
  }
}
