import HTTPTypes

/// An uploaded picture in the form in which it is stored: of a supported kind, limited in size, and without metadata.
struct Picture: Sendable {
  /// Supported kinds. A file's kind is recognized by its bytes, never by its name or a header.
  enum Kind: String, CaseIterable, Sendable {
    case png, jpeg, gif, webp

    /// The media type.
    var type: String { "image/\(rawValue)" }
    /// File extension, without the dot.
    var suffix: String { self == .jpeg ? "jpg" : rawValue }

    /// Recognizes the kind by the first bytes. Returns nil for all other files.
    init?(of bytes: [UInt8]) {
      if bytes.starts(with: PNGFile.signature) {
        self = .png
      } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
        self = .jpeg
      } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
        self = .gif
      } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
        self = .webp
      } else {
        return nil
      }
    }
  }

  /// The largest file accepted, in bytes.
  static let mostBytes = 16 << 20
  /// The most pixels accepted, as on Mastodon.
  static let mostPixels = 33_177_600
  /// The longest side accepted, in pixels.
  static let mostSide = 32_768

  let kind: Kind
  /// In pixels, after the orientation is applied.
  let width: Int
  let height: Int
  /// The rewritten file. Contains only the data needed to show the picture, including its orientation.
  let bytes: [UInt8]

  /// Checks and rewrites a file without decoding its pixels. The picture's size is read from the file's header.
  ///
  /// - Throws: ``Refusal`` with 422 if the file isn't a supported picture, is incomplete, or is too large.
  init(cleaning bytes: [UInt8]) throws(Refusal) {
    guard let kind = Kind(of: bytes) else {
      throw .invalid("This file can't be used here. Send a picture: PNG, JPEG, GIF or WebP.")
    }
    guard bytes.count <= Self.mostBytes else {
      throw .invalid("The picture has \(bytes.count) bytes; the limit is \(Self.mostBytes).")
    }
    let cleaned =
      switch kind {
      case .png: try PNGFile.cleaned(bytes)
      case .jpeg: try JPEGFile.cleaned(bytes)
      case .gif: try GIFFile.cleaned(bytes)
      case .webp: try WebPFile.cleaned(bytes)
      }
    let isTurned = cleaned.orientation > 4
    self.kind = kind
    width = isTurned ? cleaned.height : cleaned.width
    height = isTurned ? cleaned.width : cleaned.height
    self.bytes = cleaned.bytes
  }

  /// A rewritten file.
  struct Cleaned {
    var bytes: [UInt8]
    /// In pixels, before the orientation is applied.
    var width: Int
    var height: Int
    /// EXIF orientation, 1 to 8.
    var orientation = 1
  }

  /// Refuses a picture that is empty or too large.
  static func check(_ width: Int, _ height: Int) throws(Refusal) {
    guard width > 0, height > 0 else { throw broken }
    guard width <= mostSide, height <= mostSide, width * height <= mostPixels else {
      throw .invalid(
        "The picture has \(width) × \(height) pixels; the limit is \(mostPixels) in total and \(mostSide) per side.")
    }
  }

  static let broken = Refusal.invalid("The picture is damaged or incomplete. Send it again.")
}

extension [UInt8] {
  /// Reads a big-endian number of 2 bytes, which must exist.
  func big16(_ place: Int) -> Int { Int(self[place]) << 8 | Int(self[place + 1]) }

  /// Reads a big-endian number of 4 bytes, which must exist.
  func big32(_ place: Int) -> Int { big16(place) << 16 | big16(place + 2) }

  /// Reads a little-endian number of `count` bytes, which must exist.
  func little(_ place: Int, _ count: Int) -> Int {
    (0..<count).reversed().reduce(0) { $0 << 8 | Int(self[place + $1]) }
  }
}
