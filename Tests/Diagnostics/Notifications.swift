import Dispatch
import Fanout
import FanoutFoundation
import Foundation

private final class Sender { var n = 0 }
private final class SafeSender: Sendable {}

private let name = Notification.Name("changed")

private func sender() {
  // 6: 'Sender' does not conform
  _ = NotificationCenter.default.publisher(for: name, object: Sender())
}

private func notifications() {
  let changes = NotificationCenter.default.publisher(for: name)
  // 6: 'Notification' to 'Sendable' is unavailable
  _ = changes.receive(on: DispatchQueue.main).sink { _ in }
}

private func sound() {
  _ = NotificationCenter.default.publisher(for: name, object: SafeSender()).sink { _ in }
  let changes = NotificationCenter.default.publisher(for: name)
  _ = changes.compactMap { $0.userInfo?["n"] as? Int }.receive(on: DispatchQueue.main).sink { _ in }
}
