import Fanout
import FanoutTestSupport
import SampleApp
import XCTest

final class SessionModelTests: NoLeaksTestCase {
  private var model: SessionModel?
  private var following: AnyCancellable?

  override func tearDown() {
    model = nil
    following = nil
  }

  func testFollowsLogins() {
    let logins = PassthroughSubject<String, Never>()
    let model = trackLifetime(of: SessionModel(), "model")
    self.model = model
    following = model.follow(logins)
    logins.send("ada")
    XCTAssertEqual(model.user.value, "ada")
  }

  func testAModelDiesAloneWhateverFollows() async {
    let logins = PassthroughSubject<String, Never>()
    following = trackLifetime(of: SessionModel(), "model").follow(logins)
  }

  func testTheSubscriptionGoesWithItsCancellable() {
    expectReleased(after: .ownerReleased) { scope in
      let model = scope.track(SessionModel(), "model")
      return (model, model.follow(scope.hold(PassthroughSubject<String, Never>())))
    }
  }
}
