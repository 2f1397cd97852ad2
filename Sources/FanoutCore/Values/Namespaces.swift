/// The namespace of the publishers that operators make.
public enum Publishers: Sendable {}

/// The namespace of the subscribers, and of what they say: ``Demand`` and ``Completion``.
public enum Subscribers: Sendable {}

/// The namespace of the subscriptions that need no publisher.
public enum Subscriptions: Sendable {}
