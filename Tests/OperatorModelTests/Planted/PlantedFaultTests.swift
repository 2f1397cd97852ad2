internal import OperatorModel
internal import Testing

/// Random programs find every planted fault, each with twenty thousand programs at most.
struct PlantedFaultTests {
  @Test(arguments: PlantedFault.allCases)
  func `random programs find every planted fault`(_ fault: PlantedFault) throws {
    let player = ProgramPlayer { fault.workshop }
    let finding = #expect(throws: Finding.self) { try player.play(seeds: 1..<20_000) }
    let size = try #require(finding?.program.chain.size)
    #expect(size <= 6, "\(fault): \(finding?.description ?? "")")
  }
}
