import Fanout
import FanoutLifetime
import Testing

struct DrawingTests {
  private let taps = ReplaySubject<Int, Never>(.all)

  private func graph(_ name: String) -> OwnershipGraph {
    taps.send(1)
    let reading = taps.sink { _ in }
    defer { reading.cancel() }
    return OwnershipGraph(of: reading, names: [name: taps])
  }

  @Test func `Mermaid: roots are rounded, references that close a cycle are thick`() {
    #expect(
      graph("taps").mermaid == """
        flowchart TD
          n0(["AnyCancellable"])
          n1["Sink"]
          n2["ReplaySubject 'taps'<br/>1 value"]
          n0 -->|"what it cancels<br/>until cancel"| n1
          n1 -->|"publisher<br/>until cancel or completion"| n2
          n2 ==>|"subscription<br/>cycle: broken by cancel or completion"| n1
        """)
  }

  @Test func `DOT: roots are rounded, references that close a cycle are bold`() {
    #expect(
      graph("taps").dot == #"""
        digraph Ownership {
          node [shape=box, fontname="sans-serif"];
          edge [fontname="sans-serif", fontsize=10];
          n0 [label="AnyCancellable", style=rounded];
          n1 [label="Sink"];
          n2 [label="ReplaySubject 'taps'\n1 value"];
          n0 -> n1 [label="what it cancels\nuntil cancel"];
          n1 -> n2 [label="publisher\nuntil cancel or completion"];
          n2 -> n1 [label="subscription\ncycle: broken by cancel or completion", style=bold, constraint=false];
        }
        """#)
  }

  @Test func `labels are escaped`() {
    let graph = graph("a \"b\" <c>\n#1 \\ `d` [e] 🎈")
    #expect(
      graph.mermaid.contains(
        "ReplaySubject 'a #34;b#34; #60;c#62; #35;1 #92; #96;d#96; #91;e#93; 🎈'<br/>1 value"))
    #expect(graph.dot.contains(#"'a \"b\" <c> #1 \\ `d` [e] 🎈'\n1 value"#))
  }
}
