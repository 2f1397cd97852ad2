/// The values of `asyncMap` between their arrival and the delivery of their results, and the
/// workers that work on them.
///
/// It is a state machine without threads: a method is one event, and its result says what the
/// caller does about it outside of the lock. The values are numbered; they themselves, and their
/// results, lie beside it.
///
/// ```text
///      ready, or in work            waiting for a worker
///    ├───────────────────────────┬────────────────────────┤
///    ↑ first                     ↑ taken                  ↑ end
///    the next to deliver         the next to work on      the next to arrive
/// ```
///
/// - *first* ≤ *taken* ≤ *end* ≤ *first* + `maxConcurrent`.
/// - A worker on a value behind *end* was given up: nothing awaits its result.
/// - While a value waits, there are as many workers that seek a value as values that wait, or as
///   many workers as may be. A worker that is inside the subscriber's `receive` does not count:
///   that may take long.
package struct AsyncMapWindow: Sendable {
  /// A worker, as long as its task runs.
  package struct Worker: Sendable {
    /// The number of the worker, or 0 where there is none.
    var number = 0
    /// The number of the value that it works on.
    var value: Int?
    var task: Task<Void, Never>?
    var isGivenUp = false
  }

  /// A worker that was counted and whose task has not started.
  package struct NewWorker: Sendable {
    /// Its place in `workers`.
    package let place: Int
    let number: Int
  }

  /// The workers and results that were given up.
  package struct Abandoned: Sendable {
    /// The tasks to cancel.
    var tasks: [Task<Void, Never>] = []
    /// The numbers of the values whose results were there.
    package var results: [Int] = []
  }

  /// The next thing to deliver.
  package enum Supply: Sendable {
    /// The result of the value with this number.
    case result(Int)
    case end
    case nothing
  }

  let maxConcurrent: Int
  /// Whether each value that was taken has its result: a ring, whose size is a power of two.
  var isReady = [false, false, false, false]
  var first = 0
  var taken = 0
  var end = 0
  /// Whether nothing is accepted any more.
  var isClosed = false
  /// Whether there is an end, which comes behind all results.
  var hasEnd = false
  package var workers: [Worker] = []
  /// The places in `workers` where there is none.
  var vacant: [Int] = []
  /// The number of workers that were not given up.
  package var count = 0
  /// The number of those that have no value.
  var seeking = 0
  /// The number of workers that were ever started.
  package var started = 0

  package init(maxConcurrent: Int) { self.maxConcurrent = maxConcurrent }

  /// The size of a ring in which each value that was taken has a place of its own.
  package var ringSize: Int { isReady.count }

  private func place(of value: Int) -> Int { value & (ringSize &- 1) }

  /// The numbers of the values whose results are there.
  package var readyValues: [Int] { (first..<taken).filter { isReady[place(of: $0)] } }

  /// Accepts a value; returns whether there is a place for it.
  package mutating func accept() -> Bool {
    guard !isClosed, end &- first < maxConcurrent else { return false }
    end &+= 1
    return true
  }

  /// Counts one more worker if a value waits that no worker would take up.
  ///
  /// If `isCalling`, one of the workers that seek a value is inside the subscriber's `receive`.
  package mutating func addWorker(isCalling: Bool) -> NewWorker? {
    guard end &- taken > (isCalling ? seeking &- 1 : seeking), count < maxConcurrent else {
      return nil
    }
    count &+= 1
    seeking &+= 1
    started &+= 1
    let worker = Worker(number: started)
    if let place = vacant.popLast() {
      workers[place] = worker
      return NewWorker(place: place, number: started)
    }
    workers.append(worker)
    return NewWorker(place: workers.count &- 1, number: started)
  }

  /// Notes the task of a worker; returns whether that worker was given up, so that it is to be
  /// cancelled.
  mutating func note(_ task: Task<Void, Never>, of worker: NewWorker) -> Bool {
    let place = worker.place
    // It may have ended already, and another one may be in its place.
    guard place < workers.count, workers[place].number == worker.number else { return false }
    workers[place].task = task
    return workers[place].isGivenUp
  }

  /// Gives a worker the next value that waits; returns false if there is none.
  package mutating func takeValue(_ worker: Int) -> Bool {
    guard taken < end else { return false }
    if taken &- first == ringSize { grow() }
    workers[worker].value = taken
    taken &+= 1
    seeking &-= 1
    return true
  }

  private mutating func grow() {
    var larger = Array(repeating: false, count: ringSize &* 2)
    for value in readyValues { larger[value & (larger.count &- 1)] = true }
    isReady = larger
  }

  /// Counts a worker out; returns its task, which the caller releases.
  package mutating func removeWorker(_ worker: Int) -> Task<Void, Never>? {
    let old = workers[worker]
    workers[worker] = Worker()
    vacant.append(worker)
    if !old.isGivenUp {
      count &-= 1
      seeking &-= 1
    }
    return old.task
  }

  /// Takes a worker from its value; returns the number of that value, unless the worker was given
  /// up.
  private mutating func release(_ worker: Int) -> Int? {
    let value = workers[worker].value
    workers[worker].value = nil
    guard !workers[worker].isGivenUp else { return nil }
    seeking &+= 1
    return value
  }

  /// Notes that a worker has its result; returns the number of the value, or nil if it is not
  /// awaited.
  package mutating func succeed(_ worker: Int) -> Int? {
    guard let value = release(worker) else { return nil }
    isReady[place(of: value)] = true
    return value
  }

  /// Notes the failure of a worker, which comes behind the results of earlier values and replaces
  /// every later one and every end that was accepted; returns what it replaces, or nil if it is not
  /// awaited.
  package mutating func fail(_ worker: Int) -> Abandoned? {
    guard let value = release(worker) else { return nil }
    let old = abandon(from: value)
    hasEnd = true
    return old
  }

  /// Accepts the end of the upstream; returns whether it is the first one.
  package mutating func finish() -> Bool {
    guard !isClosed else { return false }
    isClosed = true
    hasEnd = true
    return true
  }

  /// Takes the next result if it is there and was requested, or the end if it is due.
  package mutating func supply(isRequested: Bool) -> Supply {
    guard first < taken else { return first == end && hasEnd ? .end : .nothing }
    let place = place(of: first)
    guard isRequested, isReady[place] else { return .nothing }
    isReady[place] = false
    first &+= 1
    return .result(first &- 1)
  }

  /// Accepts nothing any more, and gives up all values from the specified one on, which was taken
  /// or is the next to be.
  private mutating func abandon(from value: Int) -> Abandoned {
    var old = Abandoned()
    isClosed = true
    hasEnd = false
    for number in value..<taken where isReady[place(of: number)] {
      isReady[place(of: number)] = false
      old.results.append(number)
    }
    (taken, end) = (value, value)
    for index in workers.indices {
      guard let known = workers[index].value, known >= value, !workers[index].isGivenUp else {
        continue
      }
      workers[index].isGivenUp = true
      count &-= 1
      if let task = workers[index].task { old.tasks.append(task) }
    }
    return old
  }

  /// Accepts nothing any more, and gives up everything.
  package mutating func abandonAll() -> Abandoned { abandon(from: first) }
}
