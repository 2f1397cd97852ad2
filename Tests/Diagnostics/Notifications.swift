import Dispatch
import Fanout
import FanoutFoundation
import Foundation

private final class Sender { var n = 0 }
private final class SafeSender: Sendable {}

private let name = Notification.Name("changed")

private func sender() {
  _ = NotificationCenter.default.publisher(for: name, object: Sender())  // 6: 'Sender' does not conform
}

private func notifications() {
  let changes = NotificationCenter.default.publisher(for: name)
  _ = changes.receive(on: DispatchQueue.main).sink { _ in }  // 6: 'Notification' to 'Sendable' is unavailable
}

private func sound() {
  _ = NotificationCenter.default.publisher(for: name, object: SafeSender()).sink { _ in }
  let changes = NotificationCenter.default.publisher(for: name)
  _ = changes.compactMap { $0.userInfo?["n"] as? Int }.receive(on: DispatchQueue.main).sink { _ in }
}
