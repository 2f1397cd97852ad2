/// The namespace of the publishers that operators make.
///
/// A publisher with an upstream fails as that does, or with `any Error` if its closure throws,
/// unless its page says otherwise.
public enum Publishers: Sendable {}

/// The namespace of the subscribers and of the types they use: ``Demand`` and ``Completion``.
public enum Subscribers: Sendable {}

/// The namespace of the subscriptions that exist without a publisher.
public enum Subscriptions: Sendable {}
