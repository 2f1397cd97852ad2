import Fanout
import FanoutContract
import FanoutTestSupport

/// Reads a program from bytes: any bytes are some program, and few bytes a small one.
struct ProgramReader {
  private static let mostSteps = 40
  private static let mostSubscribers = 6

  private var bytes: ArraySlice<UInt8>
  private var nextValue = 0
  private var nextSubscriber = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  mutating func number(below limit: Int) -> Int { Int(bytes.popFirst() ?? 0) % limit }

  mutating func program() -> DeliveryContract.Program {
    var program = DeliveryContract.Program(steps: [])
    while !bytes.isEmpty, program.steps.count < Self.mostSteps {
      if number(below: 3) == 0 {
        let moment = moment()
        program.reactions[moment, default: []].append(step())
      } else {
        program.steps.append(step())
      }
    }
    return program
  }

  private mutating func moment() -> DeliveryContract.Moment {
    let subscriber = number(below: Self.mostSubscribers)
    switch number(below: 8) {
    case 0: return .init(subscriber, .subscription)
    case 1: return .init(subscriber, .completion)
    case 2: return .upstreamAsked(1 + number(below: 3))
    default: return .init(subscriber, .value(1 + number(below: 4)))
    }
  }

  private mutating func step() -> DeliveryContract.Step {
    let who = number(below: Self.mostSubscribers)
    switch number(below: 16) {
    case 0...4:
      nextValue += 1
      return .send(nextValue)
    case 5: return .finish
    case 6: return .fail
    case 7, 8:
      nextSubscriber += 1
      return .subscribe(nextSubscriber - 1, demand())
    case 9:
      nextSubscriber += 1
      return .attach(nextSubscriber - 1, demand())
    case 10, 11: return .request(who, demand())
    case 12: return .allow(demand())
    case 13: return .cancel(who)
    case 14: return .connect
    default: return .disconnect
    }
  }

  private mutating func demand() -> Subscribers.Demand {
    let count = number(below: 5)
    return count == 4 ? .unlimited : .max(count)
  }
}
