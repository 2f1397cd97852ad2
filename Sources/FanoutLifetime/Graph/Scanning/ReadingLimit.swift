/// The reason why a reference is not read.
enum UnreadReason: Hashable {
  /// Things of this kind are not laid out as Fanout knows them.
  case layout(Reading)
  /// Nothing of this kind is ever read.
  case limit(ReadingLimit)
}

/// A kind of thing that a graph never looks into, in words.
enum ReadingLimit: String {
  /// Its type is unknown: the compiler leaves the types of such properties out.
  case nonCopyable = "a value that cannot be copied"
  case task = "a task"
  case foreign = "an object of the system or of another library"
  case capture = "a capture of an unknown type"
  case error = "an error"
  case depth = "values that lie too deep in each other"
  /// It is not retained, and only a retained one can be asked.
  case unretained = "an object of Fanout's that only a variable holds"
}

extension ScannedType {
  /// The classes of opaque modules that hold no object of a program's, or only until it has its
  /// turn.
  private static let harmless: Set = [
    "DispatchQueue", "DispatchSemaphore", "OperationQueue", "RunLoop", "NSLock", "NSRecursiveLock",
    "NSCondition", "NSConditionLock", "NSString", "NSMutableString", "NSNumber", "NSData",
    "NSMutableData", "NSDate", "NSURL", "NSUUID", "NSNull", "Bundle", "FileManager", "FileHandle",
    "Process", "ProcessInfo", "UserDefaults", "JSONEncoder", "JSONDecoder", "PropertyListEncoder",
    "PropertyListDecoder", "DateFormatter", "ISO8601DateFormatter", "NumberFormatter",
  ]

  /// Returns the limit that values of a type run into, and objects of a class.
  static func limit(_ name: TypeName, _ layout: TypeLayout) -> ReadingLimit? {
    if name.readable == "Task", ["Swift", "_Concurrency"].contains(name.module) { return .task }
    switch layout.kind {
    case .object:
      // A class of Objective-C belongs to no module.
      let isForeign = opaqueModules.contains(name.module) || name.module.isEmpty
      return isForeign && !harmless.contains(name.readable) ? .foreign : nil
    // Metatypes and functions of C are trivial. Builtin types are inner parts of the standard
    // library.
    case .other: return layout.isTrivial || name.module == "Builtin" ? nil : .foreign
    default: return name.module == "Foundation" && name.readable == "Notification" ? .foreign : nil
    }
  }

  /// The room that an object has for a stored property of unknown type.
  struct Room {
    let name: String
    let offset: Int
    let size: Int

    /// The rooms of a class: from each such property to the next one, or to the end of the object.
    ///
    /// Their type reads as `()`. A property that is declared so has no place in the object.
    static func all(
      among properties: [StoredProperty], of type: any Any.Type, _ reader: RuntimeReader
    ) -> [Room] {
      let unknown = properties.filter {
        $0.type is Void.Type && $0.isStrong && $0.offset >= reader.layout.objects.header
      }
      let classes = reader.layout.classes
      guard !unknown.isEmpty, reader.reads(.variables),
        let end = reader.half(
          RuntimeReader.address(of: type), classes.descriptor + classes.instanceSize)
      else { return [] }
      return unknown.map { property in
        let next = properties.map(\.offset).filter { $0 > property.offset }.min() ?? end
        return Room(name: property.name, offset: property.offset, size: next - property.offset)
      }
    }
  }
}
