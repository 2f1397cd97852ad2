public import FanoutCore

/// The values of `asyncMap` between their arrival and the delivery of their results, and the workers that
/// work on them.
///
/// It is a state machine without threads: a method is one event, and its result says what the caller does
/// about it outside of the lock. The values are numbered:
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
/// - While a value waits, there are as many workers that seek a value as values that wait, or as many workers
///   as may be. A worker that is inside the subscriber's `receive` does not count: that may take long.
@frozen @usableFromInline
package struct AsyncMapWindow<Input, Output, Failure: Error> {
  /// The state of one value.
  @usableFromInline
  package enum Place {
    case empty
    case waiting(Input)
    case working
    case ready(Output)
  }

  /// A worker, as long as its task runs.
  @frozen @usableFromInline
  package struct Worker {
    /// The number of the worker, or 0 where there is none.
    @usableFromInline var number = 0
    /// The number of the value that it works on.
    @usableFromInline var value: Int?
    @usableFromInline var task: Task<Void, Never>?
    @usableFromInline var isGivenUp = false

    @inlinable init(number: Int) { self.number = number }
  }

  /// The objects of values and workers that were given up.
  @frozen @usableFromInline
  package struct Abandoned {
    /// The tasks to cancel.
    @usableFromInline var tasks: [Task<Void, Never>] = []
    @usableFromInline var places: [Place] = []
    @usableFromInline var completion: Subscribers.Completion<Failure>?

    @inlinable init() {}

    @inlinable
    func cancelTasks() { for task in tasks { task.cancel() } }
  }

  /// The next thing to deliver.
  @usableFromInline
  package enum Supply {
    case result(Output)
    case end(Subscribers.Completion<Failure>)
    case nothing
  }

  @usableFromInline let maxConcurrent: Int
  /// A ring; its size is a power of two.
  @usableFromInline package var places: [Place]
  @usableFromInline var first = 0
  @usableFromInline var taken = 0
  @usableFromInline var end = 0
  /// Whether nothing is accepted any more.
  @usableFromInline var isClosed = false
  @usableFromInline package var completion: Subscribers.Completion<Failure>?
  @usableFromInline package var workers: [Worker] = []
  /// The places in `workers` where there is none.
  @usableFromInline var vacant: [Int] = []
  /// The number of workers that were not given up.
  @usableFromInline package var count = 0
  /// The number of those that have no value.
  @usableFromInline var seeking = 0
  /// The number of workers that were ever started.
  @usableFromInline package var started = 0

  @inlinable
  package init(maxConcurrent: Int) {
    self.maxConcurrent = maxConcurrent
    places = [.empty, .empty, .empty, .empty]
  }

  @inlinable
  @inline(__always)
  func place(of value: Int) -> Int { value & (places.count &- 1) }

  /// Accepts a value; returns whether there is a place for it.
  @inlinable
  package mutating func accept(_ input: Input) -> Bool {
    guard !isClosed, end &- first < maxConcurrent else { return false }
    if end &- first == places.count { grow() }
    places[place(of: end)] = .waiting(input)
    end &+= 1
    return true
  }

  @inlinable
  mutating func grow() {
    var larger: [Place] = []
    larger.reserveCapacity(places.count &* 2)
    let begin = place(of: first)
    // The numbers start at 0 again, so that they agree with the places.
    for offset in places.indices { larger.append(places[(begin &+ offset) & (places.count &- 1)]) }
    for _ in places.indices { larger.append(.empty) }
    places = larger
    renumber(by: first)
  }

  @inlinable
  mutating func renumber(by distance: Int) {
    first &-= distance
    taken &-= distance
    end &-= distance
    for index in workers.indices {
      if let value = workers[index].value { workers[index].value = value &- distance }
    }
  }

  /// Counts one more worker if a value waits that no worker would take up; returns its place.
  ///
  /// If `isCalling`, one of the workers that seek a value is inside the subscriber's `receive`.
  @inlinable
  package mutating func addWorker(isCalling: Bool) -> Int? {
    guard end &- taken > (isCalling ? seeking &- 1 : seeking), count < maxConcurrent else {
      return nil
    }
    count &+= 1
    seeking &+= 1
    started &+= 1
    let worker = Worker(number: started)
    guard let place = vacant.popLast() else {
      workers.append(worker)
      return workers.count &- 1
    }
    workers[place] = worker
    return place
  }

  /// Notes the task of a worker; returns whether that worker was given up, so that it is to be cancelled.
  @inlinable
  package mutating func note(_ task: Task<Void, Never>, ofWorker number: Int, at place: Int) -> Bool
  {
    // It may have ended already, and another one may be in its place.
    guard place < workers.count, workers[place].number == number else { return false }
    workers[place].task = task
    return workers[place].isGivenUp
  }

  /// Gives a worker the next value that waits; if there is none, nil.
  @inlinable
  package mutating func takeValue(_ worker: Int) -> Input? {
    guard taken < end else { return nil }
    var place = Place.working
    swap(&places[self.place(of: taken)], &place)
    guard case .waiting(let input) = place else { return nil }
    workers[worker].value = taken
    taken &+= 1
    seeking &-= 1
    return input
  }

  /// Counts a worker out; returns its task, which the caller releases.
  @inlinable
  package mutating func removeWorker(_ worker: Int) -> Task<Void, Never>? {
    let old = workers[worker]
    workers[worker] = Worker(number: 0)
    vacant.append(worker)
    if !old.isGivenUp {
      count &-= 1
      seeking &-= 1
    }
    return old.task
  }

  /// Takes a worker from its value; returns the number of that value, unless the worker was given up.
  @inlinable
  mutating func release(_ worker: Int) -> Int? {
    let value = workers[worker].value
    workers[worker].value = nil
    guard !workers[worker].isGivenUp else { return nil }
    seeking &+= 1
    return value
  }

  /// Takes the result of a worker; returns whether it is awaited.
  @inlinable
  package mutating func succeed(_ worker: Int, _ output: Output) -> Bool {
    guard let value = release(worker) else { return false }
    places[place(of: value)] = .ready(output)
    return true
  }

  /// Takes the failure of a worker, which comes behind the results of earlier values and replaces every
  /// later one and every end that was accepted; returns what it replaces, or nil if it is not awaited.
  @inlinable
  package mutating func fail(_ worker: Int, _ error: Failure) -> Abandoned? {
    guard let value = release(worker) else { return nil }
    let old = abandon(from: value)
    completion = .failure(error)
    return old
  }

  /// Accepts the end of the upstream; returns whether it is the first one.
  @inlinable
  package mutating func finish(_ end: Subscribers.Completion<Failure>) -> Bool {
    guard !isClosed else { return false }
    isClosed = true
    completion = end
    return true
  }

  /// Takes the next result if it is there and was requested, or the end if it is due.
  @inlinable
  package mutating func supply(isRequested: Bool) -> Supply {
    guard first < taken else {
      guard first == end, let completion else { return .nothing }
      return .end(completion)
    }
    guard isRequested, case .ready = places[place(of: first)] else { return .nothing }
    var place = Place.empty
    swap(&places[self.place(of: first)], &place)
    guard case .ready(let output) = place else { return .nothing }
    first &+= 1
    return .result(output)
  }

  /// Accepts nothing any more, and gives up all values from the specified one on.
  @inlinable
  mutating func abandon(from value: Int) -> Abandoned {
    var old = Abandoned()
    isClosed = true
    swap(&old.completion, &completion)
    for number in value..<end {
      var place = Place.empty
      swap(&places[self.place(of: number)], &place)
      old.places.append(place)
    }
    end = value
    taken = min(taken, end)
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
  @inlinable
  package mutating func abandonAll() -> Abandoned { abandon(from: first) }
}

@available(*, unavailable)
extension AsyncMapWindow: Sendable {}

@available(*, unavailable)
extension AsyncMapWindow.Place: Sendable {}

@available(*, unavailable)
extension AsyncMapWindow.Worker: Sendable {}

@available(*, unavailable)
extension AsyncMapWindow.Abandoned: Sendable {}

@available(*, unavailable)
extension AsyncMapWindow.Supply: Sendable {}
