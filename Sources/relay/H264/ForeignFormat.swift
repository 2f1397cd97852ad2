/// A common video format other than Annex B H.264, recognised by the first bytes of a file.
///
/// Containers hold start codes by chance, so without this check they would be cut into nonsense.
enum ForeignFormat: String, CaseIterable {
  case mp4 = "MP4"
  case matroska = "Matroska or WebM"
  case transportStream = "an MPEG transport stream"
  case programStream = "an MPEG program stream"
  case mpegVideo = "MPEG-1 or MPEG-2 video"
  case hevc = "H.265"
  case avi = "AVI"
  case flash = "FLV"

  /// Makes the format of a file with these first bytes; `nil` if the file may well be Annex B.
  init?(startingWith bytes: [UInt8]) {
    guard let format = Self.allCases.first(where: { $0.matches(bytes) }) else { return nil }
    self = format
  }

  private func matches(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .mp4: bytes.dropFirst(4).starts(with: "ftyp".utf8)
    case .matroska: bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3])
    case .transportStream: bytes.first == 0x47 && bytes.dropFirst(188).first == 0x47
    case .programStream: bytes.starts(with: [0, 0, 1, 0xBA])
    case .mpegVideo: bytes.starts(with: [0, 0, 1, 0xB3])
    case .hevc: bytes.drop { $0 == 0 }.starts(with: [1, 0x40, 0x01])
    case .avi: bytes.starts(with: "RIFF".utf8)
    case .flash: bytes.starts(with: "FLV".utf8)
    }
  }
}
