/// A value of a stream in which parameter sets travel on their own: one of them, or a picture.
enum VideoPacket: Equatable, Sendable {
  /// A parameter set with its kind and number, such as "sps 0".
  case parameterSet(String, bytes: [UInt8])
  /// A picture without its parameter sets.
  case picture(AccessUnit)

  /// The name of a parameter set, which replaces an earlier one of the same name.
  var header: String? { if case .parameterSet(let name, _) = self { name } else { nil } }

  /// Whether a viewer that has the parameter sets can start here.
  var isKeyframe: Bool { if case .picture(let unit) = self { unit.isKeyframe } else { false } }

  /// The Annex B bytes, ready to be written one after another.
  var bytes: [UInt8] {
    switch self {
    case .parameterSet(_, let bytes): bytes
    case .picture(let unit): unit.bytes
    }
  }
}

extension AccessUnit {
  /// The parameter sets of this access unit, in their order, and then the rest of it.
  var packets: [VideoPacket] {
    var splitter = NALUnitSplitter()
    splitter.append(bytes)
    splitter.end()
    var packets: [VideoPacket] = []
    var rest: [UInt8] = []
    while let unit = splitter.next() {
      if let name = ParameterSets.name(of: unit) {
        packets.append(.parameterSet(name, bytes: unit.bytes))
      } else {
        rest += unit.bytes
      }
    }
    return packets + [.picture(AccessUnit(index: index, isKeyframe: isKeyframe, bytes: rest))]
  }
}
