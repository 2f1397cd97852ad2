import CoreMetrics
import Synchronization

/// A backend of swift-metrics that keeps sums, and writes them in Prometheus' text format.
///
/// A counter is a counter; a recorder without aggregation and a meter are gauges; a recorder with aggregation and a
/// timer are summaries without quantiles: `_count` and `_sum`.
final class PrometheusText: MetricsFactory {
  private struct Name: Hashable, Comparable {
    let label: String
    /// The dimensions, as `{key="value"}`.
    let dimensions: String

    static func < (one: Name, other: Name) -> Bool {
      (one.label, one.dimensions) < (other.label, other.dimensions)
    }
  }

  private let instruments = Mutex<[Name: Instrument]>([:])

  private func instrument(
    _ label: String, _ dimensions: [(String, String)], _ kind: Instrument.Kind
  ) -> Instrument {
    let pairs = dimensions.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }
    let name = Name(
      label: Self.name(label), dimensions: pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}")
    return instruments.withLock { instruments in
      if let instrument = instruments[name] { return instrument }
      let instrument = Instrument(kind)
      instruments[name] = instrument
      return instrument
    }
  }

  /// The page that Prometheus reads.
  var text: String {
    var text = ""
    var last = ""
    for (name, instrument) in instruments.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      let (kind, sum, count) = instrument.reading
      if name.label != last { text += "# TYPE \(name.label) \(kind.rawValue)\n" }
      last = name.label
      if kind == .summary {
        text += "\(name.label)_count\(name.dimensions) \(count)\n"
        text += "\(name.label)_sum\(name.dimensions) \(sum)\n"
      } else {
        text += "\(name.label)\(name.dimensions) \(Self.number(sum))\n"
      }
    }
    return text
  }

  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map(String.init) ?? String(value)
  }

  private static func name(_ label: String) -> String {
    String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.append(character)
      }
    }
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    instrument(label, dimensions, .counter)
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    instrument(label, dimensions, .gauge)
  }

  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler { instrument(label, dimensions, aggregate ? .summary : .gauge) }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    instrument(label, dimensions, .summary)
  }

  // The sums stay: Prometheus wants a counter never to go back.
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}

/// One instrument: a sum, and the number of its summands.
private final class Instrument: CounterHandler, MeterHandler, RecorderHandler, TimerHandler {
  enum Kind: String { case counter, gauge, summary }

  private let kind: Kind
  private let state = Mutex((sum: 0.0, count: 0))

  init(_ kind: Kind) { self.kind = kind }

  var reading: (Kind, sum: Double, count: Int) {
    let (sum, count) = state.withLock { $0 }
    return (kind, sum, count)
  }

  private func add(_ value: Double) {
    state.withLock {
      $0.sum += value
      $0.count += 1
    }
  }

  func increment(by amount: Int64) { add(Double(amount)) }
  func reset() { state.withLock { $0 = (0, 0) } }
  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { state.withLock { $0 = (value, 1) } }
  func increment(by amount: Double) { add(amount) }
  func decrement(by amount: Double) { add(-amount) }
  func record(_ value: Int64) { record(Double(value)) }
  func record(_ value: Double) { if kind == .gauge { set(value) } else { add(value) } }
  func recordNanoseconds(_ duration: Int64) { add(Double(duration) / 1e9) }
}
