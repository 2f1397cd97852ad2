import Testing

/// The ways to leak, one row each: the leak is reported with its holder, or with the note that the
/// holder is not known, and the corrected code is not reported.
struct LeakTableTests {
  @Test(arguments: LeakCase.leaking)
  func `each way of leaking is told with its holder`(_ leak: LeakCase) async throws {
    try await expectTold(leak, beside: nil)
  }

  @Test(arguments: LeakCase.clean)
  func `what is written properly is not told`(_ clean: LeakCase) async throws {
    let messages = try await clean.check.messages(of: clean.row, leaks: false)
    #expect(messages == [])
  }

  @Test func `each row has a name of its own`() {
    #expect(Set(LeakRow.all.map(\.name)).count == LeakRow.all.count)
  }
}

/// The same beside threads that continue to send and subscribe: on unrelated subjects, and on those
/// that the rows subscribe to.
@Suite(.serialized)
struct LeakTableBesideThreadsTests {
  @Test(arguments: LeakCase.leaking)
  func `each way of leaking is told beside running threads`(_ leak: LeakCase) async throws {
    try await expectTold(leak, beside: Company())
  }

  @Test(arguments: LeakCase.clean)
  func `what is written properly is not told beside running threads`(
    _ clean: LeakCase
  ) async throws {
    let messages = try await clean.check.messages(
      of: clean.row, leaks: false, beside: Company())
    #expect(messages == [])
  }
}

/// Expects one report, with every text of the row in it.
private func expectTold(
  _ leak: LeakCase, beside company: Company?, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let messages = try await leak.check.messages(of: leak.row, leaks: true, beside: company)
  #expect(messages.count == 1, "\(messages)", sourceLocation: sourceLocation)
  let message = messages.first ?? ""
  // Sources further up may be busy at that moment, beside running threads.
  let report = company == nil ? leak.row.report : Array(leak.row.report.prefix(1))
  #expect(report.allSatisfy(message.contains), "\(message)", sourceLocation: sourceLocation)
}
