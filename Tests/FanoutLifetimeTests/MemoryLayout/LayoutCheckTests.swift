import Fanout
import FanoutLifetime
import Testing

/// What is read by its layout in memory is checked first, and what is not as known is not read.
struct LayoutCheckTests {
  @Test func `everything is read here`() {
    #expect(RuntimeReader.shared.readings == Set(Reading.allCases))
  }

  @Test
  func `each assumption that is planted wrong is found, by a check that reads no wrong memory`() {
    for planted in PlantedLayout.all {
      let reader = RuntimeReader(checking: planted.layout)
      #expect(!reader.reads(planted.reading), "\(planted)")
    }
  }

  @Test func `each number and each text of the layout is planted wrong`() {
    let planted = Set(PlantedLayout.all.map(\.assumption))
    let groups = Mirror(reflecting: RuntimeLayout()).children
    let assumptions = groups.flatMap { group in
      Mirror(reflecting: group.value).children.map { "\(group.label ?? "").\($0.label ?? "")" }
    }
    #expect(Set(assumptions).subtracting(planted) == PlantedLayout.unused)
  }

  private final class Model {
    let target = Target()
    var changing: Target? = Target()
    var many = [Target()]
    var thing: any Touchable = Other()
    var action: () -> Void = {}
    var kept: AnyCancellable?
  }

  /// A layout for each reading that has it switched off, with what stands on it.
  private static let off: [(reading: Reading, layout: RuntimeLayout)] = Reading.allCases.map {
    reading in
    var layout = RuntimeLayout()
    switch reading {
    case .types: layout.types.witnesses = 0
    case .properties: layout.objects.isStrong = 17
    case .existentials: layout.existentials.type = 16
    case .enums: layout.enums.fields = 24
    case .closures: layout.contexts.captureNames = 16
    case .collections: layout.collections.tableKeys = 56
    case .variables: layout.classes.superclass = 16
    }
    return (reading, layout)
  }

  @Test func `a graph says what is not read, and names the rest`() {
    for (reading, layout) in Self.off {
      let reader = RuntimeReader(checking: layout)
      #expect(!reader.reads(reading))
      let subject = PassthroughSubject<Int, Never>()
      let model = Model()
      model.action = { [target = model.target] in target.touch() }
      model.kept = subject.sink { [target = model.target] in target.count += $0 }
      for isShared in [false, true] {
        let graph = OwnershipGraph(
          roots: [subject, model], names: [:], isShared: isShared, reader: reader)
        let text = graph.description
        // A part of Fanout's is known whatever the layout is.
        #expect(graph.nodes.contains { $0.name == "Sink" }, "\(reading): \(text)")
        let isMet = isShared || [.types, .properties, .existentials, .closures].contains(reading)
        if isMet {
          #expect(text.contains(": not read"), "\(reading): \(text)")
          #expect(
            text.contains(
              "\nnot read, because the layout in memory is not the one that Fanout knows: "),
            "\(reading): \(text)")
        }
      }
      model.kept = nil
    }
  }

  @Test
  func `closures that are not read are told where they are, and what is behind them is missing`() {
    var layout = RuntimeLayout()
    layout.contexts.contextKind = 0x408
    let reader = RuntimeReader(checking: layout)
    #expect(reader.readings == Set(Reading.allCases).subtracting([.closures]))
    let target = Target()
    let holder = OptionalHolder { [number = opaque(1)] in
      target.count += number
      target.touch()
    }
    let graph = OwnershipGraph(roots: [holder], names: [:], reader: reader)
    #expect(
      graph.description == """
        OptionalHolder
          action: not read
        not read, because the layout in memory is not the one that Fanout knows: closures
        """)
    #expect(graph.nodes.map(\.unread) == [["action"]])
    #expect(OwnershipGraph(of: holder).nodes.map(\.unread) == [[], []])
  }

  @Test func `a leak report says what is not read, and names the holders that it knows`() {
    let tracker = LifetimeTracker()
    let (subject, model) = tracker.perform {
      let subject = PassthroughSubject<Int, Never>()
      let model = tracker.track(ViewModel(counting: subject), "model")
      return (subject, model)
    }
    let whole = LeakReport(tracker).reason(for: model)
    #expect(
      whole
        == "retained by Sink.receiveValue ← AnyCancellable ← itself (until cancel or completion)")
    for (reading, layout) in Self.off {
      let reason = LeakReport(tracker, reader: RuntimeReader(checking: layout)).reason(for: model)
      switch reading {
      case .existentials, .enums: #expect(reason.hasPrefix(whole), "\(reading): \(reason)")
      case .collections:
        #expect(reason.hasPrefix("retained by Sink.receiveValue ← "), "\(reading): \(reason)")
      // Closures are not read where metadata is not found in memory.
      case .types, .properties, .closures, .variables:
        #expect(reason.hasPrefix("nothing that Fanout knows of holds it"), "\(reading): \(reason)")
      }
      if ![.existentials, .enums].contains(reading) {
        #expect(
          reason.contains(
            "; not read, because the layout in memory is not the one that Fanout knows: "),
          "\(reading): \(reason)")
      }
    }
    model.kept = []
    withExtendedLifetime(subject) {}
  }
}
