extension Subscribers {
  /// The way in which a publisher ended: the terminal that a subscriber receives last.
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
    /// The publisher delivered everything.
    case finished

    /// The publisher failed with an error.
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
  /// Encodes this completion as `success`, a Boolean, and after a failure also `error`.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Any error that the encoder throws.
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
  /// Creates a completion from one that ``encode(to:)`` wrote.
  ///
  /// If `success` is true, `error` is ignored; if it is false, `error` is required.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: Any error that the decoder throws for a missing key or a wrong type.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CompletionKey.self)
    if try container.decode(Bool.self, forKey: .success) {
      self = .finished
    } else {
      self = .failure(try container.decode(Failure.self, forKey: .error))
    }
  }
}
