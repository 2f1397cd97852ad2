import Foundation
import Workloads

extension Measurement {
  /// A column of the tables.
  enum Column: Equatable {
    case workload, fanout, floor, unretained, floorRatio, floorTitle
    /// The peer of a line, whichever library it is.
    case peerTitle, peer, peerRatio
    /// The same, for the lines whose peer is the library.
    case figure(Library)
    case ratio(Library)
    case allocations, retains, bytes, bytesRatio, verdict

    var heading: String {
      switch self {
      case .workload: "workload"
      case .fanout: "Fanout"
      case .floor: "floor"
      case .unretained: "no retains"
      case .floorRatio: "× floor"
      case .floorTitle: "the floor is"
      case .peerTitle: "the peer is"
      case .peer: "peer"
      case .peerRatio: "× peer"
      case .figure(let library): library.title
      case .ratio(let library): "× " + library.title
      case .allocations: "allocations"
      case .retains: "retains"
      case .bytes: "a subscription"
      case .bytesRatio: "× bytes"
      case .verdict: "met"
      }
    }
  }

  /// The text of the line in a column; a dash where there is nothing to say.
  func text(in column: Column) -> String {
    switch column {
    case .workload: title
    case .fanout: figure(fanout) + Self.limit("≤", limit)
    case .floor: floor.map(figure) ?? "—"
    case .unretained: unretained.map(figure) ?? "—"
    case .floorRatio: floorRatio.map { ratio($0, "≤", floorLimit) } ?? "—"
    case .floorTitle: floor == nil ? "—" : floorTitle ?? "—"
    case .peerTitle: peer == nil ? "—" : library.title
    case .peer: peer.map(figure) ?? "—"
    case .peerRatio: peerRatio.map { ratio($0, peerSign, peerLimit) } ?? "—"
    case .figure(let other): other == library ? text(in: .peer) : "—"
    case .ratio(let other): other == library ? text(in: .peerRatio) : "—"
    case .allocations:
      allocations.map { Self.count($0) + Self.limit("≤", allocationLimit) } ?? "—"
    case .retains: retains.map(Self.count) ?? "—"
    case .bytes: bytes.map { Self.short($0) + " B" } ?? "—"
    case .bytesRatio: bytesRatio.map(Self.short) ?? "—"
    case .verdict: Self.sign(verdicts)
    }
  }

  private var peerSign: String { unit == .nanoseconds ? "≥" : "≤" }

  private func ratio(_ ratio: Double, _ sign: String, _ limit: Limit?) -> String {
    Self.short(ratio) + Self.limit(sign, limit?.value(with: locks))
  }

  private func figure(_ value: Double) -> String {
    switch unit {
    case .nanoseconds: Self.short(value) + " ns"
    case .bytes: value == 0 ? "0 B" : Self.short(value) + " B"
    }
  }

  private static func count(_ number: Double) -> String { number == 0 ? "0" : short(number) }

  /// Whether all limits of a line are met; nothing if it has none.
  static func sign(_ verdicts: [Bool]) -> String {
    verdicts.isEmpty ? "" : verdicts.allSatisfy { $0 } ? "✓" : "✗"
  }

  static func limit(_ sign: String, _ limit: Double?) -> String {
    limit.map { " (\(sign) \(plain($0)))" } ?? ""
  }

  /// A count, or a limit: whole where it is.
  static func plain(_ number: Double) -> String { String(format: "%g", number) }

  /// A number without digits that nobody needs.
  static func short(_ number: Double) -> String {
    switch abs(number) {
    case ..<0.01 where number != 0: "< 0.01"
    case ..<10: String(format: "%.2f", number)
    case ..<100: String(format: "%.1f", number)
    default: String(format: "%.0f", number)
    }
  }
}
