// Unsafe pointers: invariant: metadata and descriptors of types are constants of the program, laid out as the runtime
// of Swift says; the offsets here are those of a class without resilient ancestors, and of a struct.

import FanoutEngine
import FanoutLifetime

/// A stored property that cannot be copied: a lock, an atomic, a place for a reference.
///
/// The runtime gives its type as `()`, so the type is read from the description of the class.
struct GuardedProperty {
  /// The class that declares it, and its name.
  let path: String
  /// Its type; nil if that cannot be found.
  let type: (any Any.Type)?

  /// The properties that a class and its superclasses declare.
  static func all(of type: any AnyObject.Type) -> [GuardedProperty] {
    var found: [GuardedProperty] = []
    var next: AnyClass? = type
    while let current = next {
      let superclass: AnyClass? = _getSuperclass(current)
      let inherited = superclass.map { StoredProperty.all(of: $0).count } ?? 0
      let names = Set(
        StoredProperty.all(of: current).dropFirst(inherited).filter { $0.type is Void.Type }.map(
          \.name))
      found += TypeDescription(of: current).fields.filter { names.contains($0.name) }.map {
        GuardedProperty(path: "\(Ownership.name(of: current)).\($0.name)", type: $0.type)
      }
      next = superclass
    }
    return found
  }

  /// Whether it may hold a reference: not if it is one of the engine's numbers, or a lock or atomic of plain bits.
  var mayHold: Bool {
    guard let type else { return true }
    let name = String(describing: type)
    if Self.numbers.contains(name) { return false }
    let parameters = TypeDescription.parameters(ofStruct: type)
    func isPlain<Value>(_: Value.Type) -> Bool { _isPOD(Value.self) }
    return parameters.isEmpty || !parameters.allSatisfy { _openExistential($0, do: isPlain) }
  }

  /// The types of the engine that are numbers.
  private static let numbers: Set = ["Drain", "OutstandingCredit", "PendingCredit"]
}

/// The description of a type, as the compiler leaves it in the program.
private struct TypeDescription {
  private let address: UnsafeRawPointer
  private let arguments: UnsafeRawPointer

  #if canImport(ObjectiveC)
    private static let placeInClass = 64
  #else
    private static let placeInClass = 40
  #endif

  /// The description of a class.
  init(of type: AnyClass) {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    address = metadata.load(fromByteOffset: Self.placeInClass, as: UnsafeRawPointer.self)
    let words = address.load(fromByteOffset: 28, as: UInt32.self)
    let own = address.load(fromByteOffset: 32, as: UInt32.self)
    arguments = metadata + Int(words - own) * MemoryLayout<UInt>.size
  }

  /// The declared fields with their types.
  var fields: [(name: String, type: (any Any.Type)?)] {
    let list = Self.relative(address + 16)
    let count = list.load(fromByteOffset: 12, as: UInt32.self)
    return (0..<Int(count)).map { index in
      let record = list + 16 + 12 * index
      let name = String(cString: Self.relative(record + 8).assumingMemoryBound(to: CChar.self))
      let mangled = Self.relative(record + 4).assumingMemoryBound(to: UInt8.self)
      let type = _getTypeByMangledNameInContext(
        mangled, UInt(Self.length(of: mangled)), genericContext: address,
        genericArguments: arguments)
      return (name, type)
    }
  }

  /// The generic arguments of a struct.
  static func parameters(ofStruct type: any Any.Type) -> [any Any.Type] {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard metadata.load(as: UInt.self) == 0x200 else { return [] }
    let description = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
    guard description.load(as: UInt32.self) & 0x80 != 0 else { return [] }
    let count = description.load(fromByteOffset: 36, as: UInt16.self)
    return (0..<Int(count)).map {
      unsafeBitCast(
        metadata.load(fromByteOffset: 16 + 8 * $0, as: UnsafeRawPointer.self),
        to: (any Any.Type).self)
    }
  }

  private static func relative(_ place: UnsafeRawPointer) -> UnsafeRawPointer {
    place + Int(place.load(as: Int32.self))
  }

  /// The length of a mangled name, in which an address may follow on a control character.
  private static func length(of name: UnsafePointer<UInt8>) -> Int {
    var length = 0
    while name[length] != 0 {
      switch name[length] {
      case 0x01...0x17: length += 5
      case 0x18...0x1F: length += 9
      default: length += 1
      }
    }
    return length
  }
}
