/// One coded picture with all that belongs to it: what a viewer receives as one frame.
struct AccessUnit: Equatable, Sendable {
  /// Its place in the file, from 0, in decoding order.
  let index: Int
  /// Whether a viewer can start here: it is an instantaneous decoder refresh (IDR).
  let isKeyframe: Bool
  /// Annex B bytes, ready to be written one after another.
  let bytes: [UInt8]
}
