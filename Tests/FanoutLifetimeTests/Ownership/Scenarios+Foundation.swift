import Fanout
import FanoutFoundation
import FanoutLifetime
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// A run loop lives as long as its thread, so no scenario shows who keeps one.
extension Scenario {
  static let foundation: [Scenario] = [
    Scenario(name: "a data task of a session, which nobody asked for") { stage in
      let request = URLRequest(url: URL(fileURLWithPath: "/"))
      stage.keep(
        value: URLSession(configuration: .ephemeral).dataTaskPublisher(for: request))
    },
    Scenario(name: "notifications of a sender") { stage in
      stage.keep(
        value: NotificationCenter().publisher(for: Notification.Name("name"), object: Token()))
    },
    Scenario(name: "an operation queue as a scheduler") { stage in
      stage.keep(value: OperationQueueScheduler(OperationQueue()))
    },
  ]
}
