import FanoutCore
import FanoutLifetime
import FanoutTestSupport
import TestThreads
import Testing

/// A view model that is assigned to, and keeps what does that.
///
/// A test uses it on one thread at a time.
private final class ViewModel: @unchecked Sendable {
  var name = "" { didSet { whenNamed(name) } }
  var kept: Set<AnyCancellable> = []
  let whenNamed: @Sendable (String) -> Void

  init(whenNamed: @escaping @Sendable (String) -> Void = { _ in }) { self.whenNamed = whenNamed }
}

struct WeakAssignTests {
  @Test(.noLeaks) func `O2: a view model that assigns to itself does not keep itself alive`() {
    let names = PassthroughSubject<String, Never>()
    weak var gone: ViewModel?
    do {
      let model = ViewModel()
      names.assign(to: \.name, onWeak: model).store(in: &model.kept)
      names.send("a")
      #expect(model.name == "a")
      gone = model
    }
    #expect(gone == nil)
    names.send("b")
  }

  @Test func `O2: with Combine's assign it does`() {
    let names = PassthroughSubject<String, Never>()
    weak var kept: ViewModel?
    do {
      let model = ViewModel()
      names.assign(to: \.name, on: model).store(in: &model.kept)
      kept = model
    }
    #expect(kept != nil)
    names.send(completion: .finished)
    #expect(kept == nil)
  }

  @Test func `O2: the next value finds the object gone, and cancels the upstream`() {
    let upstream = TestPublisher<String, Never>()
    var model: ViewModel? = ViewModel()
    let assigning = model.map { upstream.assign(to: \.name, onWeak: $0) }
    #expect(upstream.requests == [.unlimited])
    upstream.send("a")
    #expect(model?.name == "a")
    model = nil
    #expect(upstream.cancelCount == 0)
    upstream.send("b")
    #expect(upstream.cancelCount == 1)
    upstream.send("c")
    assigning?.cancel()
    #expect(upstream.cancelCount == 1)
  }

  @Test func `O2: it lets go of a subject's and a chain's subscription then, too`() {
    let tracker = LifetimeTracker()
    let names = PassthroughSubject<String, Never>()
    var model: ViewModel? = ViewModel()
    let assigning = model.map { model in
      let token = tracker.track(Probe(), "closure")
      return names.map { name in withExtendedLifetime(token) { name } }
        .assign(to: \.name, onWeak: model)
    }
    names.send("a")
    model = nil
    #expect(tracker.survivors().count == 1)
    names.send("b")
    #expect(tracker.survivors() == [])
    withExtendedLifetime(assigning) {}
  }

  @Test func `D7: an object that cancels when it is assigned to gets nothing more`() {
    let names = PassthroughSubject<String, Never>()
    let held = Shared<AnyCancellable?>(nil)
    let received = Notes<String>()
    let model = ViewModel {
      received.append($0)
      held.value?.cancel()
    }
    held.value = names.assign(to: \.name, onWeak: model)
    names.send("a")
    names.send("b")
    #expect(received.all == ["a"])
    held.value = nil
  }

  @Test func `D11: the object may die while it is assigned to`() {
    let names = PassthroughSubject<String, Never>()
    let model = Shared<ViewModel?>(nil)
    model.value = ViewModel { _ in model.value = nil }
    let assigning = model.value.map { names.assign(to: \.name, onWeak: $0) }
    names.send("a")
    #expect(model.value == nil)
    names.send("b")
    assigning?.cancel()
  }

  @Test func `lets go at the end`() {
    let upstream = TestPublisher<String, Never>()
    let model = ViewModel()
    let assigning = upstream.assign(to: \.name, onWeak: model)
    upstream.send(completion: .finished)
    upstream.send("a")
    #expect(model.name == "")
    assigning.cancel()
    #expect(upstream.cancelCount == 0)
  }

  private final class Probe: Sendable {}
}
