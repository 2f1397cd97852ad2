import Fanout
import FanoutTestSupport
import Testing

/// Runs scripts of random steps on a share and on a model of the contract, and compares what each
/// subscriber sees and which values are alive.
struct ModelTests {
  private static let sequences = 200
  private static let length = 40

  @Test(arguments: Policy.allCases)
  func `D2 D3 D6 D7 D8 D9 D10 D12 D16 L1 L2 L3 L5 O6: a share does what the model of it does`(
    policy: Policy
  ) {
    for seed in 0..<Self.sequences {
      let script = Script(seed: UInt64(seed), length: Self.length)
      if let difference = Self.difference(policy, script) {
        Issue.record("seed \(seed), \(difference)")
        return
      }
    }
  }

  /// The first difference between model and share, in words.
  private static func difference(_ policy: Policy, _ script: Script) -> String? {
    let model = ModelShare(policy, script)
    let real = RealShare(policy, script)
    defer { real.cleanUp() }
    for (number, step) in script.steps.enumerated() {
      switch step {
      case .subscribe(let auto, let demand):
        model.subscribe(auto: auto, demand: demand)
        real.subscribe(auto: auto, demand: demand)
      case .send:
        model.send(number + 1)
        real.send(number + 1)
      case .request(let index, let count):
        model.request(index, count)
        real.request(index, count)
      case .cancel(let index):
        model.cancel(index)
        real.cancel(index)
      case .connect:
        model.connect()
        real.connect()
      case .disconnect:
        model.disconnect()
        real.disconnect()
      case .finish:
        model.finish()
        real.finish()
      }
      let context = { "after \(number + 1) steps \(script.steps[...number])" }
      for (index, subscriber) in model.subscribers.enumerated() {
        let log = real.log(of: index)
        if log != subscriber.log {
          return "subscriber \(index) expected \(subscriber.log), got \(log) \(context())"
        }
        let violations = real.subscribers[index].violations
        if !violations.isEmpty { return "\(violations) \(context())" }
      }
      if model.alive != real.alive {
        return "alive \(model.alive.sorted()) expected, are \(real.alive.sorted()) \(context())"
      }
    }
    return nil
  }
}
