// Invariant: the subject is set once, before a connection starts; everything else is a constant.
// Unsafe cast: `made` holds only what `createSubject` made.

package import FanoutEngine

/// The claims of a multicast through a subject of the user's, which keeps values or not as it
/// likes.
package final class SubjectClaims<Upstream: Publisher, SubjectType: Subject>: ConnectionClaims,
  ConnectionTarget
where Upstream.Output == SubjectType.Output, Upstream.Failure == SubjectType.Failure {
  package let upstream: Upstream
  package let createSubject: @Sendable () -> SubjectType
  package let made = AtomicReference()
  /// The closure that makes a connection, formed where the type of the upstream is known.
  package let connecting: (SubjectClaims, Int) -> Connection

  init(_ upstream: Upstream, createSubject: @escaping @Sendable () -> SubjectType) {
    self.upstream = upstream
    self.createSubject = createSubject
    connecting = { UpstreamConnection($1, ReceiverStage(UpstreamConnection.Body($0))) }
    super.init()
  }

  var subject: SubjectType {
    unsafeDowncast(made.object ?? made.setIfEmpty(createSubject()), to: SubjectType.self)
  }

  override func makeConnection(_ number: Int) -> Connection { connecting(self, number) }

  // The closure of the user's runs here, outside the lock.
  override func prepare(_ number: Int) { _ = subject }

  override func accept(_ connection: any Connection & Subscription) {
    subject.send(subscription: connection)
  }

  package func send(_ value: Upstream.Output, from number: Int) {
    made.withObject { unsafeDowncast($0, to: SubjectType.self).send(value) }
  }

  package func finish(_ completion: Subscribers.Completion<Upstream.Failure>, from number: Int) {
    subject.send(completion: completion)
  }
}
