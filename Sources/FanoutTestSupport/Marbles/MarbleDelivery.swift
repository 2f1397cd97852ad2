// `@unchecked Sendable` invariant: it is made once and only read; what it carries is used by one
// action of a scheduler, and those never overlap.

/// What one action of a scheduler delivers.
struct MarbleDelivery<Output, Failure: Error>: @unchecked Sendable {
  let signals: [MarbleScript<Output, Failure>.Signal]

  init(_ signals: [MarbleScript<Output, Failure>.Signal]) { self.signals = signals }
}
