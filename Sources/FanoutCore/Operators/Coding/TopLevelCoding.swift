/// A decoder of whole values, such as `JSONDecoder`.
public protocol TopLevelDecoder<Input>: SendableMetatype {
  /// The kind of input that the decoder reads, such as `Data`.
  associatedtype Input

  /// Decodes one value.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - from: The input, from its beginning to its end.
  /// - Returns: The value.
  /// - Throws: Any error that says why the input is no such value.
  func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}

/// An encoder of whole values, such as `JSONEncoder`.
public protocol TopLevelEncoder<Output>: SendableMetatype {
  /// The kind of output that the encoder writes, such as `Data`.
  associatedtype Output

  /// Encodes one value.
  ///
  /// - Parameter value: The value to encode.
  /// - Returns: The output.
  /// - Throws: Any error that says why the value cannot be encoded.
  func encode<T: Encodable>(_ value: T) throws -> Output
}
