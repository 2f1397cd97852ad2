internal import Fanout
import FanoutContract

/// A source of choices: random, or determined by bytes.
package protocol Choices {
  /// Returns a number from 0 up and below the limit, which is at least 1.
  mutating func number(below limit: Int) -> Int
}

/// Random choices.
package struct Chance<Generator: RandomNumberGenerator>: Choices {
  private var generator: Generator

  package init(_ generator: Generator) { self.generator = generator }

  package mutating func number(below limit: Int) -> Int {
    Int.random(in: 0..<limit, using: &generator)
  }
}

/// Choices that bytes determine; when they are used up, always the first.
package struct ByteChoices: Choices {
  private var bytes: ArraySlice<UInt8>

  package init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  package mutating func number(below limit: Int) -> Int { Int(bytes.popFirst() ?? 0) % limit }
}

extension Program {
  /// Makes a program from choices.
  package init(by choices: inout some Choices) {
    var author = Author(choices: choices)
    self = author.program()
    choices = author.choices
  }
}

/// An author of programs.
private struct Author<Chooser: Choices> {
  var choices: Chooser
  /// The number of operators still to be put into the chain.
  var left = 0
  var driven = 0
  var hasTasks = false
  var hasPlaces = false
  var consumer = Consumer.subscriber(.unlimited)

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + choices.number(below: range.count)
  }

  mutating func happens(oneIn count: Int) -> Bool { choices.number(below: count) == count - 1 }

  mutating func program() -> Program {
    left = number(1...5)
    let chain = chain()
    consumer = someConsumer()
    let steps = (0..<number(3...(happens(oneIn: 6) ? 40 : 16))).map { _ in step() }
    var reactions: [Moment: [Step]] = [:]
    for _ in 0..<number(0...5) {
      let moment = moment()
      // Running a scheduler inside a call may reach an object that the call is about to release.
      var done = (0..<number(1...2)).map { _ in step() }.filter { $0 != .run }
      if case .value = moment, happens(oneIn: 2) { done.append(.allow(demand())) }
      reactions[moment, default: []] += done
    }
    return Program(chain, consumer, steps: steps, reactions: reactions)
  }

  mutating func chain() -> Chain {
    guard left > 0 else { return leaf() }
    left -= 1
    switch number(0...46) {
    case 0: return .map(chain())
    case 1: return .compactMap(chain())
    case 2: return .filter(chain())
    case 3: return .scan(chain())
    case 4: return .removeDuplicates(chain())
    case 5: return .tryMap(chain())
    case 6: return .mapError(chain())
    case 7: return .dropFirst(number(0...2), chain())
    case 8: return .prefix(number(0...3), chain())
    case 9: return .first(chain())
    case 10: return .collect(chain())
    case 11...14: return buffer()
    case 15...17:
      let parts = chains(2)
      return .merge(parts[0], parts[1])
    case 18: return .mergeMany(chains(number(0...3)))
    case 19...22:
      let parts = chains(2)
      return .flatMap(maxPublishers: limit(), parts[0], parts[1])
    case 23, 24:
      let parts = chains(2)
      return .catch(parts[0], parts[1])
    case 25: return .replaceError(chain())
    case 26:
      hasPlaces = true
      return .receiveOn(chain())
    case 27:
      hasPlaces = true
      return .subscribeOn(chain())
    case 28:
      hasTasks = true
      return .asyncMap(maxConcurrent: number(1...3), chain())
    case 29:
      hasTasks = true
      return .tryAsyncMap(maxConcurrent: number(1...3), chain())
    case 30: return .retry(number(0...2), chain())
    case 31: return .firstWhere(chain())
    case 32: return .last(chain())
    case 33: return .tryReduce(chain())
    case 34: return .prefixWhile(chain())
    case 35: return .dropWhile(chain())
    default: return combination()
    }
  }

  mutating func combination() -> Chain {
    let parts = chains(2)
    switch number(0...9) {
    case 0, 1: return .combineLatest(parts[0], parts[1])
    case 2, 3: return .zip(parts[0], parts[1])
    case 4: return .withLatestFrom(parts[0], parts[1])
    case 5: return .prefixUntil(parts[0], parts[1])
    case 6: return .dropUntil(parts[0], parts[1])
    case 7, 8: return .flatMapLatest(parts[0], parts[1])
    default: return .append(parts[0], parts[1])
    }
  }

  /// Makes chains, and divides the remaining operators among them: otherwise the first would get
  /// all of them.
  mutating func chains(_ count: Int) -> [Chain] {
    var rest = left
    return (0..<count).map { index in
      left = index == count - 1 ? rest : number(0...rest)
      rest -= left
      return chain()
    }
  }

  mutating func buffer() -> Chain {
    let prefetch: Chain.Prefetch = happens(oneIn: 2) ? .keepFull : .byRequest
    let whenFull: Chain.WhenFull = [.dropNewest, .dropOldest, .customError][number(0...2)]
    let size = happens(oneIn: 8) ? 0 : number(1...3)
    return .buffer(size: size, prefetch, whenFull, chain())
  }

  mutating func leaf() -> Chain {
    switch number(0...13) {
    case 0: return .sequence(number(0...4))
    case 1: return .just
    case 2: return .empty
    case 3: return happens(oneIn: 2) ? .never : .fail
    default:
      driven += 1
      let pace: Chain.Conduct.Pace = [.waits, .drops, .waits, .ignoresDemand][number(0...3)]
      return .driven(
        Chain.Conduct(pace, isEager: happens(oneIn: 3), ignoresCancel: happens(oneIn: 4)))
    }
  }

  mutating func limit() -> Subscribers.Demand {
    let count = number(0...3)
    return count == 0 ? .unlimited : .max(count)
  }

  mutating func someConsumer() -> Consumer {
    switch number(0...11) {
    case 0: .oneByOne
    case 1: .oneByOneTask
    case 2: .values
    case 3: .sharedValues(newest: happens(oneIn: 2) ? number(1...2) : nil)
    default: .subscriber(demand())
    }
  }

  mutating func moment() -> Moment {
    switch number(0...9) {
    case 0: .subscription
    case 1...3: .value(number(1...4))
    case 4: .completion
    case 5: .attached(someSource())
    case 6, 7: .asked(someSource(), number(1...3))
    case 8: .cancelled(someSource())
    default: .closure(number(1...4))
    }
  }

  mutating func someSource() -> Int { number(0...(driven + 1)) }

  mutating func step() -> Step {
    switch number(0...23) {
    case 7...10 where hasTasks: return taskStep()
    case 0...10: return .send(someSource(), number(1...12))
    case 11, 12: return .finish(someSource())
    case 13, 14: return .fail(someSource())
    case 15...18: return consumerStep()
    case 19: return happens(oneIn: 3) ? .cancel : consumerStep()
    case 20 where hasPlaces || hasTasks || isAsynchronous: return .run
    case 21 where hasTasks || consumer == .oneByOneTask: return .run
    case 22...23 where hasTasks || consumer == .oneByOneTask: return taskStep()
    default: return .send(someSource(), number(1...12))
    }
  }

  mutating func taskStep() -> Step {
    switch number(0...5) {
    case 0...2: .run
    case 3: .throw(number(0...1))
    default: .succeed(number(0...2))
    }
  }

  var isAsynchronous: Bool {
    switch consumer {
    case .subscriber, .oneByOne: false
    case .oneByOneTask, .values, .sharedValues: true
    }
  }

  mutating func consumerStep() -> Step {
    switch consumer {
    case .subscriber: .request(demand())
    case .oneByOne: .resume
    case .oneByOneTask: happens(oneIn: 3) ? .resume : .succeed(0)
    case .values, .sharedValues:
      switch number(0...7) {
      case 0: .cancelTask(number(0...2))
      case 1: happens(oneIn: 3) ? .drop : .run
      case 2...4: .run
      default: .next
      }
    }
  }

  mutating func demand() -> Subscribers.Demand {
    switch number(0...6) {
    case 0: .none
    case 1...3: .max(1)
    case 4: .max(2)
    case 5: .max(3)
    default: .unlimited
    }
  }
}
