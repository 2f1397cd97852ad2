/// The assumptions about how Swift's values, objects and metadata lie in memory.
///
/// Everything that reads memory by an offset takes it from here, and nothing else knows one. Each
/// assumption is checked when something is read for the first time: see ``LayoutCheck``. Where it
/// does not hold the readings that depend on it are switched off.
///
/// The names in the comments are those of the Swift project's own documents, in its folder
/// `docs/ABI`, and of its headers, in `include/swift/ABI`. Offsets and sizes are in bytes.
package struct RuntimeLayout: Sendable {
  package var addresses = Addresses()
  package var types = Types()
  package var nominals = Nominals()
  package var classes = Classes()
  package var objects = Objects()
  package var existentials = Existentials()
  package var enums = Enums()
  package var contexts = Contexts()
  package var names = Names()
  package var collections = Collections()

  /// Makes the layout of the Swift versions that Fanout supports.
  package init() {}

  /// Addresses of a 64-bit platform.
  package struct Addresses: Sendable {
    /// The size of a pointer.
    package var pointerSize = 8
    /// The address below which there is no memory: the first page is never mapped.
    package var lowest = 4096
    /// The address from which there is no memory of a program's own.
    package var bound = 1 << 56
    /// The smallest unit of mapped memory: all of it can be read, or none.
    package var pageSize = 4096
    /// The alignment of objects and of metadata (TypeMetadata, "Common Metadata Layout").
    package var alignment = 8
  }

  /// The places of an enum's functions in the value witness table, behind the flags and a count.
  ///
  /// They follow from the place of the flags, and cannot be tried out: what lies in another place
  /// would be called.
  package var readTag: Int { types.flags + 8 }
  package var projectPayload: Int { types.flags + 16 }

  /// Every type's metadata, and its value witness table (TypeMetadata, "Common Metadata Layout";
  /// MetadataKind.def; ValueWitness.def).
  package struct Types: Sendable {
    // The values of the first word; that of a class is 0, or an address where there is Objective-C.
    package var structKind = 0x200
    package var enumKind = 0x201
    package var optionalKind = 0x202
    package var tupleKind = 0x301
    package var functionKind = 0x302
    package var existentialKind = 0x303
    package var extendedExistentialKind = 0x307
    /// The kinds of types without a descriptor, from the built-in ones to the last one above.
    package var firstStructuralKind = 0x300
    /// The first value that is an address and no kind.
    package var firstIsa = 0x800

    /// The place of the value witness table's address, in front of the metadata.
    package var witnesses = -8
    /// The place of the flags in the value witness table, behind eight functions and two sizes.
    package var flags = 80
    /// Bits of those flags (MetadataValues.h, `ValueWitnessFlags`).
    package var isNonInline = 0x2_0000
    package var isNonCopyable = 0x80_0000

    /// The flags of a function, an existential or an extended existential's shape (TypeMetadata,
    /// "Function Metadata", "Protocol Metadata", "Extended Existential").
    package var structuralFlags = 8
    /// The convention of a function; none of the bits is set for one with a context.
    package var functionConvention = 0xFF_0000
    /// The bit that is not set if all values of an existential are objects.
    package var isNotOnlyObjects = 0x8000_0000
    /// The special protocol of an existential, and its value for `Error`.
    package var specialProtocol = 0x3F00_0000
    package var errorProtocol = 0x0100_0000
    /// The bits of a shape that say how the values lie: in words of their own, or as an object.
    package var shapeKind = 0xFF
    package var opaqueShape = 0
    package var objectShape = 1
  }

  /// Metadata and descriptors of declared types (TypeMetadata, "Struct Metadata", "Enum Metadata",
  /// "Nominal Type Descriptor").
  package struct Nominals: Sendable {
    /// The place of the descriptor's address in the metadata of a struct or an enum.
    package var descriptor = 8
    /// The place of the first generic argument behind it; the others follow.
    package var arguments = 16
    /// The bits of a descriptor's first word that say what it describes.
    package var descriptorKind = 0x1F
    package var classDescriptor = 16
    package var structDescriptor = 17
    package var enumDescriptor = 18
  }

  /// Metadata of classes (TypeMetadata, "Class Metadata"; Metadata.h, `TargetClassMetadata`).
  package struct Classes: Sendable {
    package var superclass = 8
    package var destructor = -16
    #if canImport(ObjectiveC)
      /// Behind nine words.
      package var descriptor = 64
      /// The word with the bit for a class of Swift's own, and the bits of an `isa` that are the
      /// address of the class.
      package var data = 32
      package var isSwift = 2
      package var isaMask = 0x0000_7FFF_FFFF_FFF8
    #else
      /// Behind five words, of which the last two are halves.
      package var descriptor = 40
    #endif
    /// Places relative to that of the descriptor.
    package var instanceSize = -16
    package var instanceAlignment = -12
    package var metadataSize = -8
    package var addressPoint = -4
    package var propertyDestroyer = 8
    /// Places in the descriptor, in words there: how much metadata there is behind the address, and
    /// how many members the class adds, of which the generic arguments come first.
    package var positiveSize = 28
    package var ownMembers = 32
  }

  /// Objects (HeapObject.h, RefCount.h), and what the runtime tells about stored properties
  /// (ReflectionMirror.swift).
  package struct Objects: Sendable {
    /// The size of an object's header: the metadata's address and the reference counts.
    package var header = 16
    /// The place of the reference counts.
    package var counts = 8
    /// The bits of the counts that are all set for an object that is never freed.
    package var immortal = 0xFFFF_FFFF
    /// The greatest number of bytes that the allocator adds to a request.
    package var allocatorRest = 32
    /// Places of the flags in what the runtime tells about a property, behind two words.
    package var isStrong = 16
    package var isVariable = 17
  }

  /// Existentials (TypeLayout, "Existential Container Layout").
  package struct Existentials: Sendable {
    /// The place of the type, behind three words with the value, or with the address of its box.
    package var type = 24
    #if !canImport(ObjectiveC)
      /// The box of an error (MetadataKind.def, "ErrorObject"; ErrorObject.h, `SwiftError`): its
      /// kind, and the places of the type and, behind that and a witness table, of the value.
      package var errorKind = 0x501
      package var errorType = 16
      package var errorValue = 32
    #endif
  }

  /// Enums (ValueWitness.def; Metadata.h, `TargetEnumDescriptor`; RemoteInspection/Records.h).
  package struct Enums: Sendable {
    /// The bit of the value witness flags that says that there are the functions.
    package var hasWitnesses = 0x20_0000
    /// Places in the descriptor: the fields, and the number of cases with a payload.
    package var fields = 16
    package var payloadCount = 20
    package var payloadCountMask = 0xFF_FFFF
    /// The place of the first record in the fields, and the size of each.
    package var firstField = 16
    package var fieldSize = 12
    /// Places in a record, and the bit of its flags for a payload in a box.
    package var fieldFlags = 0
    package var fieldType = 4
    package var isIndirect = 1
  }

  /// Closures, their contexts and the boxes of variables (MetadataKind.def, "HeapLocalVariable",
  /// "HeapGenericLocalVariable"; RemoteInspection/Records.h, `CaptureDescriptor`).
  package struct Contexts: Sendable {
    /// The place of the context's address in a closure, behind that of the code.
    package var context = 8
    package var contextKind = 0x400
    package var boxKind = 0x500
    /// Places in the metadata of a context.
    package var firstCapture = 8
    package var captureDescriptor = 16
    /// Places in the metadata of a box.
    package var boxedOffset = 8
    package var boxedType = 16
    /// Places in a capture descriptor: three numbers, then a relative name for each capture.
    package var captureCount = 0
    package var sourceCount = 4
    package var bindingCount = 8
    package var captureNames = 12
    package var captureNameSize = 4
    /// The size of a generic parameter's record behind them: its name and its source.
    package var sourceSize = 8
    package var source = 4
  }

  /// Mangled names in metadata (Mangling, "Symbolic references", "Types", "Function Signature").
  package struct Names: Sendable {
    /// The byte in front of a relative address of a descriptor.
    package var directDescriptor = 0x01
    /// The first bytes that no symbolic reference of four bytes begins with, and none of eight.
    package var shortReferenceEnd = 0x18
    package var longReferenceEnd = 0x20
    /// The operators for references that do not retain.
    package var unowned = "Xo"
    package var unmanaged = "Xu"
    package var weak = "Xw"
    /// The operators for metatypes: known when compiling, stored, and stored for Objective-C.
    package var thinMetatype = "XMt"
    package var thickMetatype = "XMT"
    package var existentialMetatype = "XmT"
    /// The operators for the boxes of variables.
    package var box = "Xx"
    package var plainBox = "Xb"
    /// The operators for an optional and for an existential of objects.
    package var optional = "Sg"
    package var objectExistential = "_Xl"
    /// The letter of a source that is a binding.
    package var binding = "B"
    /// The letters of a function as it is lowered: its begin, escaping, and its conventions.
    package var function = "I"
    package var escaping = "e"
    package var guaranteed = "g"
    package var owned = "x"
    package var thin = "t"
  }

  /// The storage of the standard library's collections (`ContiguousArrayStorage`,
  /// `__RawSetStorage` and `__RawDictionaryStorage` in the standard library's sources).
  package struct Collections: Sendable {
    /// Places in the storage of an array.
    package var arrayCount = 16
    package var arrayElements = 32
    /// Places in a slice of an array: of the element 0, the first index, and above a bit the last.
    package var sliceBase = 8
    package var sliceStart = 16
    package var sliceEnd = 24
    /// Places in the storage of a set or a dictionary: the logarithm of the number of places, the
    /// addresses of the keys and the values, and a bit for each place that is used.
    package var tableScale = 32
    package var tableKeys = 48
    package var tableValues = 56
    package var setBits = 56
    package var dictionaryBits = 64
  }
}
