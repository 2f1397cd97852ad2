import Fanout
import FanoutLifetime
import FanoutTestSupport
import Observation
import Testing

/// The model of a screen, which follows a share for as long as it lives.
@MainActor
@Observable
private final class ScoreModel {
  private(set) var best = 0
  @ObservationIgnored private var following: AnyCancellable?

  init(_ scores: some Publisher<Int, Never>) {
    following = scores.assignOnMainActor(to: \.best, onWeak: self)
  }

  func observations() -> Observations<Int, Never> { Observations { self.best } }
}

/// The same without an actor.
@Observable
private final class PlainModel: @unchecked Sendable {
  var best = 0
  @ObservationIgnored private var following: AnyCancellable?

  init(_ scores: some Publisher<Int, Never>) {
    following = scores.assign(to: \.best, onWeak: self)
  }
}

/// Observable models as sinks that hold nothing.
@MainActor
struct ObservableSinkTests {
  private let scores = TestPublisher<Int, Never>()

  @Test func `O1, O5: a model is released with its screen, and leaves the share`() {
    let shared = scores.share(replay: .latest)
    let counted = shared.subscriberCount.record()
    var screen: ScoreModel? = ScoreModel(shared)
    let watch = WeakReference(screen)
    scores.send(3)
    #expect(screen?.best == 3)
    screen = nil
    #expect(!watch.isAlive)
    #expect(scores.cancelCount == 1)
    #expect(counted.values == [0, 1, 0])
  }

  @Test func `O1, O5: so is a model without an actor`() {
    let shared = scores.share(replay: .latest)
    var screen: PlainModel? = PlainModel(shared)
    let watch = WeakReference(screen)
    scores.send(3)
    #expect(screen?.best == 3)
    screen = nil
    #expect(!watch.isAlive)
    #expect(scores.cancelCount == 1)
  }

  @Test func `L1: of two screens one is released, and the other goes on`() {
    let shared = scores.share(replay: .latest)
    let stays = ScoreModel(shared)
    var goes: ScoreModel? = ScoreModel(shared)
    scores.send(1)
    withExtendedLifetime(goes) {}
    goes = nil
    scores.send(2)
    #expect(stays.best == 2)
    #expect(scores.subscriptionCount == 1)
    #expect(scores.cancelCount == 0)
  }

  @Test nonisolated func `D2: loops observe a model that a share feeds`() async {
    let source = Broadcast<Int, Never>()
    let model = await ScoreModel(source.values.publisher)
    let seen = await model.observations().shared(replay: .latest)
    var loops = (0..<3).map { _ in seen.makeAsyncIterator() }
    for index in loops.indices { #expect(await loops[index].next() == 0) }
    for score in 1...5 {
      source.yield(score)
      for index in loops.indices { #expect(await loops[index].next() == score) }
    }
  }

  @Test func `O5: a model that a shared sequence feeds is released too`() async {
    let source = Broadcast<Int, Never>(replay: .latest)
    source.yield(4)
    let counted = source.values.subscriberCount.record()
    var screen: ScoreModel? = ScoreModel(source.values.publisher)
    let watch = WeakReference(screen)
    #expect(screen?.best == 4)
    screen = nil
    #expect(!watch.isAlive)
    #expect(counted.values == [0, 1, 0])
  }
}
