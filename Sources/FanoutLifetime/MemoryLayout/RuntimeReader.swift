// Unsafe pointers: invariant: a direct read is of metadata or of a retained object, at a place that
// the layout gives, and only after the check has found that the layout holds; before that, and
// where other threads may write, each read is a copy that the system makes or refuses.

/// A kind of thing that is read by its layout in memory, and can be switched off for itself.
package enum Reading: String, CaseIterable, Sendable {
  case types = "values"
  case properties = "stored properties"
  case existentials = "values of protocol types"
  case enums = "enums in use"
  case closures = "closures"
  case collections = "collections"
  /// The contents of a program's own variables, which other threads may be changing.
  case variables = "variables in use"
}

/// The layout of memory, as far as it was checked, and the reading of words in it.
package final class RuntimeReader: Sendable {
  /// The way in which words are read.
  enum Access: Sendable {
    /// From memory that is known to be there.
    case direct
    /// By copies that the system makes, so that it may be any address.
    case copied
  }

  let layout: RuntimeLayout
  /// The readings that the check has found right.
  package let readings: Set<Reading>
  private let access: Access
  private let bits: UInt8

  /// The reader of this program's memory; the layout is checked when it is first used.
  package static let shared = RuntimeReader(checking: RuntimeLayout())

  /// Makes a reader that reads what a check of the layout has found right.
  package convenience init(checking layout: RuntimeLayout) {
    self.init(layout, readings: LayoutCheck.passed(layout), access: .direct)
  }

  init(_ layout: RuntimeLayout, readings: Set<Reading>, access: Access) {
    self.layout = layout
    self.readings = readings
    self.access = access
    bits = readings.reduce(0) { $0 | $1.bit }
  }

  /// Returns whether things of a kind can be read.
  package func reads(_ reading: Reading) -> Bool { bits & reading.bit != 0 }

  /// Returns whether there may be memory at an address.
  func isAddress(_ word: UInt) -> Bool {
    word > UInt(layout.addresses.lowest) && word < UInt(layout.addresses.bound)
  }

  /// Returns whether an address is one at which an object or metadata may lie.
  func isAligned(_ word: UInt) -> Bool { word & UInt(layout.addresses.alignment - 1) == 0 }

  /// Reads a number; returns nil if that is impossible.
  func load<Value: BitwiseCopyable>(
    _ place: UnsafeRawPointer, _ offset: Int = 0, as type: Value.Type
  ) -> Value? {
    let place = place + offset
    switch access {
    case .direct: return place.loadUnaligned(as: type)
    case .copied:
      return copy(UInt(bitPattern: place), count: MemoryLayout<Value>.size) {
        $0.loadUnaligned(as: type)
      }
    }
  }

  /// Reads a word.
  func word(_ place: UnsafeRawPointer, _ offset: Int = 0) -> UInt? {
    load(place, offset, as: UInt.self)
  }

  /// Reads a number of half a word.
  func half(_ place: UnsafeRawPointer, _ offset: Int = 0) -> Int? {
    load(place, offset, as: UInt32.self).map { Int($0) }
  }

  /// Reads an address; returns nil if it is none.
  func pointer(_ place: UnsafeRawPointer, _ offset: Int = 0) -> UnsafeRawPointer? {
    guard let word = word(place, offset), isAddress(word) else { return nil }
    return UnsafeRawPointer(bitPattern: word)
  }

  /// Reads an address that is relative to its own place; returns nil if it is 0.
  func relative(_ place: UnsafeRawPointer, _ offset: Int = 0) -> UnsafeRawPointer? {
    guard let distance = load(place, offset, as: Int32.self), distance != 0 else { return nil }
    return place + offset + Int(distance)
  }

  /// Calls `body` with a copy of memory; returns nil if it cannot be read.
  func copy<Result>(
    _ address: UInt, count: Int, _ body: (UnsafeRawPointer) -> Result
  ) -> Result? {
    guard isAddress(address) else { return nil }
    return CopiedMemory.read(address, count: count, body)
  }

  /// A copy of the word at an address; nil if it cannot be read.
  func copiedWord(at address: UInt) -> UInt? {
    copy(address, count: MemoryLayout<UInt>.size) { $0.load(as: UInt.self) }
  }

  /// The number of bytes from an address to the end of its page.
  func restOfPage(from address: UInt) -> Int {
    layout.addresses.pageSize - Int(address & UInt(layout.addresses.pageSize - 1))
  }

  static func address(of type: any Any.Type) -> UnsafeRawPointer {
    unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  /// Returns the type whose metadata is at an address, which the caller has made sure of.
  static func type(at address: UnsafeRawPointer) -> any Any.Type {
    unsafeBitCast(address, to: Any.Type.self)
  }

  /// Returns the identity of the object that is, or was, at an address.
  ///
  /// It is one word, the object's address, and is compared only.
  static func identity(of address: UInt) -> ObjectIdentifier {
    unsafeBitCast(address, to: ObjectIdentifier.self)
  }

  /// The place of a value in its box, behind the header of an object.
  func boxedOffset(alignment: Int) -> Int {
    (layout.objects.header + alignment - 1) & ~(alignment - 1)
  }

  /// The type and the place of the value in an existential that is not of objects only; nil if it
  /// cannot be read, or has none yet.
  ///
  /// - Parameters:
  ///   - place: The existential, or a copy of it.
  ///   - type: The closure that returns the type whose metadata is at an address.
  /// - Returns: The type, the place of the value, and whether that is in a box.
  func existential(
    at place: UnsafeRawPointer, type: (UnsafeRawPointer) -> (any Any.Type)?
  ) -> (type: any Any.Type, value: UnsafeRawPointer, isBoxed: Bool)? {
    guard reads(.existentials), let metadata = pointer(place, layout.existentials.type),
      let type = type(metadata)
    else { return nil }
    let layout = TypeLayout(type, self)
    if layout.isInline { return (type, place, false) }
    guard let box = pointer(place) else { return nil }
    return (type, box + boxedOffset(alignment: layout.alignment), true)
  }
}

extension RuntimeReader {
  // Where there is Objective-C an error is one of its objects, which is not looked into.
  #if canImport(ObjectiveC)
    func isErrorBox(_ kind: Int) -> Bool { false }

    func error(
      at box: UInt, type: (UInt) -> (any Any.Type)?
    ) -> (type: any Any.Type, value: UInt)? { nil }
  #else
    /// Returns whether a kind of metadata is that of the boxes of errors, and these can be read.
    func isErrorBox(_ kind: Int) -> Bool {
      reads(.existentials) && kind == layout.existentials.errorKind
    }

    /// The type and the place of the value in the box of an error, read by copies; nil if there is
    /// none.
    ///
    /// - Parameters:
    ///   - box: The address of the box.
    ///   - type: The closure that returns the type whose metadata is at an address.
    /// - Returns: The type and the place of the value.
    func error(
      at box: UInt, type: (UInt) -> (any Any.Type)?
    ) -> (type: any Any.Type, value: UInt)? {
      let places = layout.existentials
      guard isAligned(box), let kind = copiedWord(at: box).flatMap(copiedWord),
        isErrorBox(Int(truncatingIfNeeded: kind)),
        let metadata = copiedWord(at: box &+ UInt(bitPattern: places.errorType)),
        let type = type(metadata)
      else { return nil }
      let alignment = TypeLayout(type, self).alignment
      let offset = (places.errorValue + alignment - 1) & ~(alignment - 1)
      return (type, box &+ UInt(bitPattern: offset))
    }
  #endif
}

extension Reading {
  fileprivate var bit: UInt8 {
    switch self {
    case .types: 1
    case .properties: 2
    case .existentials: 4
    case .enums: 8
    case .closures: 16
    case .collections: 32
    case .variables: 64
    }
  }
}
