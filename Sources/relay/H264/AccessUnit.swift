/// One coded picture with everything that belongs to it, received by a viewer as one frame.
struct AccessUnit: Equatable, Sendable {
  /// The position in the file, from 0, in decoding order.
  let index: Int
  /// Whether a viewer can start here: it is an instantaneous decoder refresh (IDR).
  let isKeyframe: Bool
  /// The Annex B bytes, ready to be written one after another.
  let bytes: [UInt8]
}
