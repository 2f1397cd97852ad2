import Testing

@testable import relay

struct TableTests {
  @Test func `columns are as wide as their widest cell, and lines end without spaces`() {
    var table = Table([("mode", .left), ("n", .right), ("why", .left)])
    table.rows = [["share()", "5", "short"], ["", "1234", ""]]
    #expect(
      table.text == """
        mode        n  why
        -------  ----  -----
        share()     5  short
                 1234
        """)
  }
}
