internal import Fanout
internal import FanoutLifetime
internal import FanoutTestSupport

/// A crowd of real threads on one subject, made at random from a seed.
///
/// The seed determines which threads send, join, request and leave, but not when they do.
package struct StressRound {
  private var chance: SeededChance
  private let stage: SharedStage
  private var subscribers: [CheckedSubscriber<Never>] = []
  private var bodies: [@Sendable () -> Void] = []
  private let maySlow: Bool

  /// Runs a round.
  ///
  /// - Parameters:
  ///   - promise: The subject's promise.
  ///   - seed: The seed of the crowd.
  ///   - isSlow: Whether subscribers may request less than everything.
  ///   - ends: Whether the subject may finish.
  ///   - makeSubject: The closure that makes the subject.
  /// - Returns: The violations of the contract; empty if there are none.
  package static func run(
    promising promise: DeliveryContract.Promise, seed: UInt64, isSlow: Bool = true,
    ends: Bool = true, _ makeSubject: () -> SharedStage.NumberSubject
  ) -> [String] {
    var watched: [(name: String, reference: WeakReference)] = []
    func play() -> [String] {
      let subject = makeSubject()
      let round = StressRound(subject, promise, seed, isSlow: isSlow, ends: ends)
      watched = round.subscribers.map { ($0.name, WeakReference($0)) }
      watched.append(("the subject", WeakReference(subject)))
      #if canImport(Dispatch)
        guard race(round.bodies) else { return ["the threads hang"] }
      #else
        // Without threads, one does its part after the other.
        for body in round.bodies { body() }
      #endif
      return round.stage.problems(round.subscribers)
    }
    let problems = play()
    let survivors = watched.filter(\.reference.isAlive).map { "\($0.name) is still alive" }
    return (problems.isEmpty ? survivors : problems).map { "seed \(seed): \($0)" }
  }

  private init(
    _ subject: SharedStage.NumberSubject, _ promise: DeliveryContract.Promise, _ seed: UInt64,
    isSlow: Bool, ends: Bool
  ) {
    chance = SeededChance(seed: seed)
    maySlow = isSlow
    let senders = Int.random(in: 1...3, using: &chance)
    let count = Int.random(in: 1...40, using: &chance)
    stage = SharedStage(
      subject, promise: promise,
      before: Array(1...Int.random(in: 1...3, using: &chance)),
      senders: (1...senders).map { sender in (0..<count).map { sender * 1000 + $0 } },
      attachesSinks: !seed.isMultiple(of: 3))
    for sender in 0..<senders { addSender(sender) }
    for number in 0..<Int.random(in: 1...5, using: &chance) { addSubscriber(number) }
    if ends, Int.random(in: 0..<4, using: &chance) == 0 { bodies.append(stage.finishes()) }
  }

  private mutating func addSender(_ sender: Int) {
    let sends = stage.sends(sender)
    let yields = Int.random(in: 0...3, using: &chance)
    bodies.append {
      for _ in 0..<yields { yieldThread() }
      sends()
    }
  }

  private mutating func addSubscriber(_ number: Int) {
    let isSlow = maySlow && Bool.random(using: &chance)
    let yields = Int.random(in: 0...8, using: &chance)
    let yieldsInside = Int.random(in: 0...9, using: &chance) == 0
    let requests = (0..<Int.random(in: 0...5, using: &chance)).map { _ in
      Int.random(in: 1...9, using: &chance)
    }
    let leaves = Int.random(in: 0..<3, using: &chance) == 0
    let subscriber = stage.subscriber(
      "subscriber \(number)", demand: isSlow ? .max(1) : .unlimited
    ) { _, _ in
      if yieldsInside { yieldThread() }
    }
    let subscribes = stage.subscribes(subscriber)
    subscribers.append(subscriber)
    bodies.append {
      for _ in 0..<yields { yieldThread() }
      subscribes()
      for request in requests where isSlow {
        yieldThread()
        subscriber.request(.max(request))
      }
      if leaves { subscriber.cancel() }
    }
  }
}
