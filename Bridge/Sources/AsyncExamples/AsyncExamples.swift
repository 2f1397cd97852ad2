import AsyncAlgorithms
import Fanout

/// Pipelines of Fanout's whose end is an operator of swift-async-algorithms.
///
/// `values` are asynchronous sequences, so every operator on those works behind them.
/// What has to be shared is shared before.
@main
enum AsyncExamples {
  static func main() async {
    for lines in [
      await searchWhenTypingStops(), await mergeTwoSources(), await groupFramesByPicture(),
      await packValues(),
    ] {
      for line in lines { print(line) }
    }
  }

  /// Searches for the last of the texts that come shortly after one another: `debounce` on
  /// `values`.
  static func searchWhenTypingStops() async -> [String] {
    let field = PassthroughSubject<String, Never>()
    let texts = field.share(replay: .all)
    let shown = texts.sink { _ in }
    for text in ["s", "sw", "swift"] { field.send(text) }
    field.send(completion: .finished)
    // Every loop gets all texts, and decides for itself when a text is the last one.
    var lines: [String] = []
    for await text in texts.values.debounce(for: .seconds(10)) {
      lines.append("search for \(text)")
    }
    shown.cancel()
    return lines
  }

  /// Reads two publishers in one loop, in the order in which values come: `merge` of their
  /// `values`.
  static func mergeTwoSources() async -> [String] {
    let sensor = PassthroughSubject<Int, Never>()
    let measured = sensor.share(replay: .all)
    let logged = measured.sink { _ in }
    for value in [3, 1, 2] { sensor.send(value) }
    sensor.send(completion: .finished)
    var all: [Int] = []
    for await value in merge(measured.values, (10...12).publisher.values) { all.append(value) }
    logged.cancel()
    return ["merged, then sorted: \(all.sorted())"]
  }

  /// Puts a keyframe and the frames behind it into one group: `chunked(by:)` on `values`.
  static func groupFramesByPicture() async -> [String] {
    let frames = PassthroughSubject<Int, Never>()
    let shared = frames.share(replay: .sinceKeyframe { $0.isMultiple(of: 10) })
    let viewer = shared.sink { _ in }
    for frame in [10, 11, 12, 20, 21] { frames.send(frame) }
    // Joins at the last keyframe, 20.
    let groups = shared.values.chunked { _, next in !next.isMultiple(of: 10) }
    var loop = groups.makeAsyncIterator()
    for frame in [22, 30, 31] { frames.send(frame) }
    frames.send(completion: .finished)
    var lines: [String] = []
    while let group = await loop.next() { lines.append("group \(group)") }
    viewer.cancel()
    return lines
  }

  /// Takes three values at a time: `chunks(ofCount:)` on `values`, which requests them one by one.
  static func packValues() async -> [String] {
    var lines: [String] = []
    for await pack in (1...7).publisher.values.chunks(ofCount: 3) { lines.append("pack \(pack)") }
    return lines
  }
}
