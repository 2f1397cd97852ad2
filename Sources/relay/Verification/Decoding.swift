/// The result of decoding one viewer's bytes.
struct Decoding: Equatable {
  let frameCount: Int
  /// The decoder's error messages, a line each.
  let errors: [String]
}
