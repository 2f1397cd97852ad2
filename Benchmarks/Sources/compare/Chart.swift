import Foundation

/// The bars: nanoseconds a delivery, for each number of sinks.
struct Chart {
  let lines: [Measurement]
  let colours: Colours

  static let description = """
    Nanoseconds a delivery on a logarithmic scale, for 1, 8, 64 and 1,000 sinks of a subject and of \
    map and share: Fanout takes less than the bare loop, OpenCombine many times as long.
    """

  private static let font =
    "-apple-system, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"
  private static let width = 720.0
  private static let left = 92.0
  private static let right = 640.0
  private static let bar = 15.0
  private static let gap = 16.0
  private static let panels = [
    (name: "subject", title: "A subject to its sinks"),
    (name: "map-share", title: "map and share() to their sinks"),
  ]
  private static let groups = [1, 8, 64, 1000]

  var svg: String {
    var picture = Picture(width: Self.width, font: Self.font, title: "Nanoseconds a delivery")
    var top = legend(in: &picture)
    for panel in Self.panels { top = draw(panel.name, panel.title, at: top, in: &picture) }
    return picture.svg(height: top - 6)
  }

  private var contenders: [(title: String, colour: String, value: (Measurement) -> Double?)] {
    [
      ("Fanout", colours.fanout, { $0.fanout }), ("bare loop", colours.floor, { $0.floor }),
      ("OpenCombine", colours.openCombine, { $0.library == .openCombine ? $0.peer : nil }),
    ]
  }

  private func legend(in picture: inout Picture) -> Double {
    var x = Self.left
    for contender in contenders {
      picture.rectangle(x: x, y: 10, width: 14, height: 14, fill: contender.colour)
      picture.text(contender.title, x: x + 20, y: 21.5, size: 13, fill: colours.text)
      x += 44 + Double(contender.title.count) * 7
    }
    picture.text(
      "ns a delivery, logarithmic; less is better", x: Self.width - 12, y: 21.5, size: 13,
      fill: colours.faint, anchor: "end")
    return 36
  }

  private func draw(
    _ name: String, _ title: String, at top: Double, in picture: inout Picture
  ) -> Double {
    picture.text(title, x: 12, y: top + 22, size: 15, fill: colours.text, weight: "600")
    let start = top + 40
    let group = Self.bar * Double(contenders.count) + Self.gap
    let end = start + group * Double(Self.groups.count)
    for tick in [1.0, 10, 100, 1000] {
      picture.line(x: x(tick), from: start - 6, to: end - 4, stroke: colours.line)
      picture.text(
        String(format: "%.0f", tick), x: x(tick), y: end + 11, size: 12, fill: colours.faint,
        anchor: "middle")
    }
    for (index, sinks) in Self.groups.enumerated() {
      let y = start + Double(index) * group
      picture.text(
        sinks == 1 ? "1 sink" : "\(sinks) sinks", x: Self.left - 10,
        y: y + Self.bar * Double(contenders.count) / 2 + 4.5, size: 13, fill: colours.text,
        anchor: "end")
      guard let line = lines.first(where: { $0.name == "\(name)-\(sinks)" }) else { continue }
      for (place, contender) in contenders.enumerated() {
        guard let value = contender.value(line) else { continue }
        let barTop = y + Double(place) * Self.bar
        picture.rectangle(
          x: Self.left, y: barTop, width: max(2, x(value) - Self.left), height: Self.bar - 2,
          fill: contender.colour)
        picture.text(
          Measurement.short(value), x: x(value) + 6, y: barTop + 11, size: 12,
          fill: place == 0 ? colours.text : colours.faint, weight: place == 0 ? "600" : "400")
      }
    }
    return end + 26
  }

  private func x(_ nanoseconds: Double) -> Double {
    Self.left + log10(max(1, nanoseconds)) / 3 * (Self.right - Self.left)
  }
}

extension Chart {
  /// The colours of the other pictures of the documentation.
  struct Colours {
    let text, faint, line, fanout, floor, openCombine: String

    static let light = Colours(
      text: "#1d1d1f", faint: "#6e6e73", line: "#d2d2d7", fanout: "#0b63ce", floor: "#5b6b7b",
      openCombine: "#b54a00")
    static let dark = Colours(
      text: "#f5f5f7", faint: "#a1a1a6", line: "#424245", fanout: "#5aa9ff", floor: "#8fa3b8",
      openCombine: "#ff9f52")
  }
}
