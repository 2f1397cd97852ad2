// `@unchecked Sendable` invariant: a delivery is immutable; one action of a scheduler uses its
// signals, and actions never overlap.

/// The signals that one action of a scheduler delivers.
struct MarbleDelivery<Output, Failure: Error>: @unchecked Sendable {
  let signals: [MarbleScript<Output, Failure>.Signal]

  init(_ signals: [MarbleScript<Output, Failure>.Signal]) { self.signals = signals }
}
