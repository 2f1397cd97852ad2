public import FanoutCore
internal import FanoutEngine
internal import FanoutOperators
public import Foundation

#if !canImport(Combine)
  extension NotificationCenter {
    /// A publisher of the notifications that a center posts.
    ///
    /// - Demand: the center's observer is added at the first request. A notification without demand
    ///   is dropped, because it cannot be asked for again. To keep those, put
    ///   `buffer(size:prefetch:whenFull:)` or `share(replay:)` behind this publisher.
    /// - Completion, failure: none.
    /// - Cancel: removes the observer, on the cancelling thread.
    /// - Concurrency: a notification has been delivered when `post` returns, if one thread at a
    ///   time posts. If another one is just delivering to the same subscriber, that thread delivers
    ///   this notification too, and `post` may return before (rule D4). If code behind `post` needs
    ///   the effect, let one serial queue do all the posting, or add an observer to the center
    ///   itself, which calls it on every posting thread.
    /// - Sendable: a notification is not. For a loop, or another thread, let a `map` in front take
    ///   out what is.
    /// - Ownership: the publisher retains the center and the sender. The center keeps the
    ///   subscription, and so the subscriber, until cancel.
    ///
    /// ```swift
    /// import Fanout
    /// import FanoutFoundation
    /// import Foundation
    ///
    /// let center = NotificationCenter()
    /// let name = Notification.Name("scored")
    /// let scores = center.publisher(for: name).compactMap { $0.userInfo?["points"] as? Int }
    /// let shown = scores.scan(0, +).sink { print("total", $0) }
    /// center.post(name: name, object: nil, userInfo: ["points": 3])
    /// center.post(name: name, object: nil, userInfo: ["points": 2])
    /// shown.cancel()
    /// center.post(name: name, object: nil, userInfo: ["points": 1])
    /// // Prints:
    /// // total 3
    /// // total 5
    /// ```
    public struct Publisher: FanoutCore.Publisher, Sendable {
      /// A notification.
      public typealias Output = Notification
      /// Never: a center does not fail.
      public typealias Failure = Never

      /// The center that posts the notifications.
      public let center: NotificationCenter
      /// The name of the notifications.
      public let name: Notification.Name
      /// The only sender whose notifications are published, or nil for all senders; retained.
      @preconcurrency public let object: (any AnyObject & Sendable)?

      /// Creates a publisher of the notifications that a center posts.
      ///
      /// - Parameters:
      ///   - center: The center that posts the notifications.
      ///   - name: The name of the notifications.
      ///   - object: The only sender whose notifications are published, or nil for all senders.
      @preconcurrency
      public init(
        center: NotificationCenter, name: Notification.Name,
        object: (any AnyObject & Sendable)? = nil
      ) {
        self.center = center
        self.name = name
        self.object = object
      }

      /// Attaches the specified subscriber, which gets an observer of its own at its first request.
      ///
      /// - Parameter subscriber: The subscriber to attach.
      public func receive<S: Subscriber>(subscriber: S)
      where S.Input == Output, S.Failure == Failure {
        Publishers.Callback<Notification, Never>(
          observing: { [center, name, object] receive, _ in
            center.addObserver(forName: name, object: object, queue: nil, using: receive)
          }, remove: { [center] in center.removeObserver($0) }
        ).receive(subscriber: subscriber, name: "NotificationCenter")
      }
    }

    /// Creates a publisher of the notifications with a name.
    ///
    /// - Parameters:
    ///   - name: The name of the notifications.
    ///   - object: The only sender whose notifications are published, or nil for all senders.
    /// - Returns: A publisher that publishes each of them while it is posted.
    @preconcurrency
    public func publisher(
      for name: Notification.Name, object: (any AnyObject & Sendable)? = nil
    ) -> Publisher {
      Publisher(center: self, name: name, object: object)
    }
  }

  extension NotificationCenter.Publisher: Equatable {
    /// Returns whether two publishers have the same center, name and sender.
    public static func == (left: Self, right: Self) -> Bool {
      left.center === right.center && left.name == right.name && left.object === right.object
    }
  }
#endif
