extension Subscribers {
  /// How a publisher ended: the terminal that a subscriber receives last.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Offline: Error {}
  ///
  /// let ends: [Subscribers.Completion<Offline>] = [.finished, .failure(Offline())]
  /// for end in ends {
  ///   switch end {
  ///   case .finished: print("that was all")
  ///   case .failure(let error): print("ended early:", error)
  ///   }
  /// }
  /// // Prints:
  /// // that was all
  /// // ended early: Offline()
  /// ```
  @frozen
  public enum Completion<Failure: Error>: Sendable {
    /// It delivered everything.
    case finished

    /// It could not go on.
    case failure(Failure)
  }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}

extension Subscribers.Completion: Hashable where Failure: Hashable {}

private enum CompletionKey: String, CodingKey {
  case success
  case error
}

extension Subscribers.Completion: Encodable where Failure: Encodable {
  /// Writes `success`, a truth value, and after a failure also `error`.
  ///
  /// - Parameter encoder: Where to write to.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CompletionKey.self)
    switch self {
    case .finished:
      try container.encode(true, forKey: .success)
    case .failure(let error):
      try container.encode(false, forKey: .success)
      try container.encode(error, forKey: .error)
    }
  }
}

extension Subscribers.Completion: Decodable where Failure: Decodable {
  /// Reads a completion that was written by ``encode(to:)``.
  ///
  /// Where `success` is true, `error` is not looked at; where it is false, `error` must be there.
  ///
  /// - Parameter decoder: Where to read from.
  /// - Throws: What the decoder throws where one of them is missing or is something else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CompletionKey.self)
    if try container.decode(Bool.self, forKey: .success) {
      self = .finished
    } else {
      self = .failure(try container.decode(Failure.self, forKey: .error))
    }
  }
}
