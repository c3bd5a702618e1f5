import HTTPTypes

/// An uploaded picture as it is kept: of a known kind, of bounded size, and without metadata.
struct Picture: Sendable {
  /// What is taken. The bytes tell, never a name or a header.
  enum Kind: String, CaseIterable, Sendable {
    case png, jpeg, gif, webp

    /// The media type.
    var type: String { "image/\(rawValue)" }
    /// The end of a file's name.
    var suffix: String { self == .jpeg ? "jpg" : rawValue }

    /// The kind of bytes, by how they begin; nil for all others.
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

  /// The largest file taken.
  static let mostBytes = 16 << 20
  /// The most pixels taken, as on Mastodon.
  static let mostPixels = 33_177_600
  /// The longest side taken, in pixels.
  static let mostSide = 32_768

  let kind: Kind
  /// In pixels, as it is shown.
  let width: Int
  let height: Int
  /// The file, rewritten: only what is needed to show it, and which way up.
  let bytes: [UInt8]

  /// The size is read from the file's header and checked first; nothing is ever decoded.
  ///
  /// - Throws: ``Refusal`` with 422 if it is no such picture, is not whole, or is too large.
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

  /// What a file was rewritten to.
  struct Cleaned {
    var bytes: [UInt8]
    /// In pixels, as stored.
    var width: Int
    var height: Int
    /// As in EXIF, 1 to 8.
    var orientation = 1
  }

  /// Refuses what nobody could show.
  static func check(_ width: Int, _ height: Int) throws(Refusal) {
    guard width > 0, height > 0 else { throw broken }
    guard width <= mostSide, height <= mostSide, width * height <= mostPixels else {
      throw .invalid(
        "The picture has \(width) × \(height) pixels; the limit is \(mostPixels) in all and \(mostSide) a side.")
    }
  }

  static let broken = Refusal.invalid("The picture is damaged or not whole. Send it again.")
}

extension [UInt8] {
  /// The big-endian number of 2 bytes at a place. The bytes must be there.
  func big16(_ place: Int) -> Int { Int(self[place]) << 8 | Int(self[place + 1]) }

  /// The big-endian number of 4 bytes at a place. The bytes must be there.
  func big32(_ place: Int) -> Int { big16(place) << 16 | big16(place + 2) }

  /// The little-endian number of `count` bytes at a place. The bytes must be there.
  func little(_ place: Int, _ count: Int) -> Int {
    (0..<count).reversed().reduce(0) { $0 << 8 | Int(self[place + $1]) }
  }
}
