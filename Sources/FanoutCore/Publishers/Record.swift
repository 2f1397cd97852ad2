internal import FanoutEngine

/// A publisher that plays a recording, values and completion, to each subscriber from the
/// beginning.
///
/// - Demand: exact. The completion directly follows the last value; in an empty recording it needs
///   no demand.
/// - Failure: a recorded failure arrives behind the last value, and does not overtake values that
///   wait for demand.
/// - Cancel: final, also inside `receive`.
/// - Concurrency: delivers on the requesting thread. A request inside `receive` does not nest.
/// - Ownership: retains the recording. A subscription retains the values until cancel or
///   completion.
///
/// A record can be encoded and decoded where its values and its failure can.
///
/// ```swift
/// import Fanout
///
/// struct Offline: Error {}
/// let evening = Record<Int, Offline> { recording in
///   recording.receive(21)
///   recording.receive(20)
///   recording.receive(completion: .failure(Offline()))
/// }
/// let printed = evening.sink(
///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
/// printed.cancel()
/// // Prints:
/// // 21
/// // 20
/// // failure(main.Offline())
/// ```
public struct Record<Output, Failure: Error>: Publisher {
  /// The values and the completion that each subscriber receives.
  public let recording: Recording

  /// Creates a publisher of a recording that a closure makes.
  ///
  /// - Parameter record: The closure, called once, in this call, with an empty recording. If it
  ///   adds no completion, the recording ends with `.finished`.
  public init(record: (inout Recording) -> Void) {
    var recording = Recording()
    record(&recording)
    self.init(recording: recording)
  }

  /// Creates a publisher of a recording.
  ///
  /// - Parameter recording: The values and the completion that each subscriber receives.
  public init(recording: Recording) {
    self.recording = recording
  }

  /// Creates a publisher of values and a completion.
  ///
  /// - Parameters:
  ///   - output: The values that each subscriber receives.
  ///   - completion: The completion behind the last value.
  public init(output: [Output], completion: Subscribers.Completion<Failure>) {
    self.init(recording: Recording(output: output, completion: completion))
  }

  /// Attaches the specified subscriber to this publisher.
  ///
  /// - Parameter subscriber: The subscriber to attach.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let output = recording.output
    let completion = recording.completion
    let subscription = PullSubscription(
      output.makeIterator(), downstream: subscriber, name: "Record",
      completes: { $0.receive(completion: completion) },
      describe: { String(describing: output) })
    subscription.begin(subscriber)
  }
}

extension Record: Sendable where Output: Sendable {}
extension Record: Codable where Output: Codable, Failure: Codable {}

extension Record: Equatable where Output: Equatable, Failure: Equatable {
  /// Returns whether two records deliver the same values and the same completion.
  ///
  /// - Parameters:
  ///   - lhs: One record.
  ///   - rhs: Another record.
  /// - Returns: Whether they deliver the same.
  public static func == (lhs: Record, rhs: Record) -> Bool {
    lhs.recording.output == rhs.recording.output
      && lhs.recording.completion == rhs.recording.completion
  }
}

extension Record {
  /// Values and a completion that are recorded one after the other.
  public struct Recording {
    /// The type of the values.
    public typealias Input = Output

    /// The recorded values.
    public private(set) var output: [Output]
    /// The completion, which is `.finished` until another one is recorded.
    public private(set) var completion: Subscribers.Completion<Failure>
    /// Whether the completion was recorded, so that nothing can follow.
    private var isComplete: Bool

    /// Creates an empty recording, to which values can be added.
    public init() {
      output = []
      completion = .finished
      isComplete = false
    }

    /// Creates a complete recording, to which nothing can be added.
    ///
    /// - Parameters:
    ///   - output: The values.
    ///   - completion: The completion.
    public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
      self.output = output
      self.completion = completion
      isComplete = true
    }

    /// Adds a value.
    ///
    /// - Parameter input: The value. After the completion it traps.
    public mutating func receive(_ input: Input) {
      trap(
        unless: !isComplete,
        "Record.Recording.receive(_:): the recording is complete; add values before its completion."
      )
      output.append(input)
    }

    /// Adds the completion.
    ///
    /// - Parameter completion: The completion. A second one traps.
    public mutating func receive(completion: Subscribers.Completion<Failure>) {
      trap(
        unless: !isComplete,
        "Record.Recording.receive(completion:): the recording is complete; add one completion only."
      )
      self.completion = completion
      isComplete = true
    }
  }
}

extension Record.Recording: Sendable where Output: Sendable {}

extension Record.Recording: Codable where Output: Codable, Failure: Codable {
  private enum CodingKeys: String, CodingKey {
    case output
    case completion
  }

  /// Creates a complete recording from one that ``encode(to:)`` wrote.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: Any error that the decoder throws for a missing key or a wrong type.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      output: try container.decode([Output].self, forKey: .output),
      completion: try container.decode(
        Subscribers.Completion<Failure>.self, forKey: .completion))
  }

  /// Encodes this recording as `output`, an array, and `completion`.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Any error that the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(output, forKey: .output)
    try container.encode(completion, forKey: .completion)
  }

  /// Encodes this recording as ``encode(to:)`` does.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Any error that the encoder throws.
  public func encode(into encoder: any Encoder) throws { try encode(to: encoder) }
}
