import Foundation

/// A drawing, as SVG.
struct Picture {
  let width: Double
  let font: String
  let title: String
  private var elements: [String] = []

  init(width: Double, font: String, title: String) {
    self.width = width
    self.font = font
    self.title = title
  }

  mutating func rectangle(x: Double, y: Double, width: Double, height: Double, fill: String) {
    elements.append(
      """
      <rect x="\(Self.text(x))" y="\(Self.text(y))" width="\(Self.text(width))" \
      height="\(Self.text(height))" rx="2" fill="\(fill)"/>
      """)
  }

  mutating func line(x: Double, from top: Double, to bottom: Double, stroke: String) {
    elements.append(
      """
      <line x1="\(Self.text(x))" y1="\(Self.text(top))" x2="\(Self.text(x))" \
      y2="\(Self.text(bottom))" stroke="\(stroke)" stroke-width="1"/>
      """)
  }

  mutating func text(
    _ text: String, x: Double, y: Double, size: Int, fill: String, anchor: String = "start",
    weight: String = "400"
  ) {
    elements.append(
      """
      <text x="\(Self.text(x))" y="\(Self.text(y))" font-size="\(size)" fill="\(fill)" \
      text-anchor="\(anchor)" font-weight="\(weight)">\(text)</text>
      """)
  }

  func svg(height: Double) -> String {
    let size = "\(Self.text(width)) \(Self.text(height))"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" width="\(Self.text(width))" \
      height="\(Self.text(height))" font-family="\(font)" role="img">
        <title>\(title)</title>
      \(elements.map { "  " + $0 }.joined(separator: "\n"))
      </svg>

      """
  }

  private static func text(_ number: Double) -> String { String(format: "%g", number) }
}
