/// What came of decoding one viewer's bytes.
struct Decoding: Equatable {
  let frameCount: Int
  /// The decoder's complaints, a line each.
  let errors: [String]
}
