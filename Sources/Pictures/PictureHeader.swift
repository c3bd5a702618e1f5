/// The format and size of a picture file, read from the file's headers before anything is decoded.
public struct PictureHeader: Hashable, Sendable {
  /// The supported file formats.
  public enum Format: Int32, Sendable, CaseIterable {
    case png = 1
    case jpeg, gif, webp, avif

    public var fileExtension: String {
      switch self {
      case .png: "png"
      case .jpeg: "jpg"
      case .gif: "gif"
      case .webp: "webp"
      case .avif: "avif"
      }
    }
  }

  /// Pictures with more pixels are not decoded.
  public static let mostPixels = 12_000_000

  public var format: Format
  /// In pixels, at least 1.
  public var width: Int
  public var height: Int

  public init(format: Format, width: Int, height: Int) {
    self.format = format
    self.width = width
    self.height = height
  }

  /// Whether the picture has more pixels than ``mostPixels``.
  public var isTooLarge: Bool {
    let (pixels, overflows) = width.multipliedReportingOverflow(by: height)
    return overflows || pixels > Self.mostPixels
  }

  /// Parses the headers of a file. Returns nil if the format is unknown, or if the headers contain no size or an empty
  /// size.
  public init?(_ bytes: some RandomAccessCollection<UInt8>) {
    let bytes = HeaderBytes(bytes)
    guard let format = Self.format(of: bytes), let size = Self.size(in: bytes, format), size.width > 0, size.height > 0
    else { return nil }
    self.init(format: format, width: size.width, height: size.height)
  }

  private static func format(of bytes: HeaderBytes) -> Format? {
    if bytes.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return .png }
    if bytes.has([0xFF, 0xD8, 0xFF], at: 0) { return .jpeg }
    if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) { return .gif }
    if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) { return .webp }
    if bytes.has("ftypavif", at: 4) || bytes.has("ftypavis", at: 4) { return .avif }
    return nil
  }

  private static func size(in bytes: HeaderBytes, _ format: Format) -> (width: Int, height: Int)? {
    switch format {
    case .png: pngSize(bytes)
    case .jpeg: jpegSize(bytes)
    case .gif: gifSize(bytes)
    case .webp: webpSize(bytes)
    case .avif: avifSize(bytes)
    }
  }

  /// PNG specification, 11.2.2: IHDR is the first chunk.
  private static func pngSize(_ bytes: HeaderBytes) -> (width: Int, height: Int)? {
    guard bytes.has("IHDR", at: 12), let width = bytes.big(4, at: 16), let height = bytes.big(4, at: 20) else {
      return nil
    }
    return (width, height)
  }

  /// Returns the largest size in the frame headers (ITU T.81, B.2.2). A file can have several frames, and a decoder may
  /// use any of them.
  private static func jpegSize(_ bytes: HeaderBytes) -> (width: Int, height: Int)? {
    var place = 2
    var largest: (width: Int, height: Int)?
    while let marker = bytes[place + 1], bytes[place] == 0xFF {
      switch marker {
      case 0xFF: place += 1
      case 0x01, 0xD0...0xD8: place += 2
      // Stop at the end of the image or before the scan data.
      case 0xD9, 0xDA: return largest
      default:
        guard let length = bytes.big(2, at: place + 2), length >= 2 else { return largest }
        let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
        if isFrame, let height = bytes.big(2, at: place + 5), let width = bytes.big(2, at: place + 7),
          largest.map({ width * height > $0.width * $0.height }) ?? true
        {
          largest = (width, height)
        }
        place += 2 + length
      }
    }
    return largest
  }

  /// Returns the size of the logical screen, which contains all frames.
  private static func gifSize(_ bytes: HeaderBytes) -> (width: Int, height: Int)? {
    guard let width = bytes.little(2, at: 6), let height = bytes.little(2, at: 8) else { return nil }
    return (width, height)
  }

  /// RFC 9649: the canvas of the extended format, or the frame of the simple formats.
  private static func webpSize(_ bytes: HeaderBytes) -> (width: Int, height: Int)? {
    if bytes.has("VP8X", at: 12), let width = bytes.little(3, at: 24), let height = bytes.little(3, at: 27) {
      return (width + 1, height + 1)
    }
    if bytes.has("VP8L", at: 12), bytes[20] == 0x2F, let bits = bytes.little(4, at: 21) {
      return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    }
    if bytes.has("VP8 ", at: 12), bytes.has([0x9D, 0x01, 0x2A], at: 23), let width = bytes.little(2, at: 26),
      let height = bytes.little(2, at: 28)
    {
      return (width & 0x3FFF, height & 0x3FFF)
    }
    return nil
  }

  /// Returns the size with the longest side among the image size properties `ispe` (ISO 23008-12, 6.5.3). Searches the
  /// first 64 KB, because the properties are near the beginning of the file.
  private static func avifSize(_ bytes: HeaderBytes) -> (width: Int, height: Int)? {
    var largest: (width: Int, height: Int)?
    for place in 0..<min(bytes.count, 64 << 10) where bytes[place] == UInt8(ascii: "i") {
      guard bytes.has("ispe", at: place), let width = bytes.big(4, at: place + 8),
        let height = bytes.big(4, at: place + 12)
      else { continue }
      if largest.map({ max($0.width, $0.height) < max(width, height) }) ?? true { largest = (width, height) }
    }
    return largest
  }
}

/// Access to bytes by offset. Returns nil for offsets beyond the end.
struct HeaderBytes {
  private let bytes: [UInt8]

  /// Copies all bytes, because a JPEG may have long segments before its size.
  init(_ bytes: some RandomAccessCollection<UInt8>) {
    self.bytes = Array(bytes)
  }

  var count: Int { bytes.count }

  subscript(place: Int) -> UInt8? { bytes.indices.contains(place) ? bytes[place] : nil }

  func has(_ wanted: [UInt8], at place: Int) -> Bool {
    place + wanted.count <= bytes.count && bytes[place..<(place + wanted.count)].elementsEqual(wanted)
  }

  func has(_ wanted: StaticString, at place: Int) -> Bool {
    wanted.withUTF8Buffer { has(Array($0), at: place) }
  }

  func big(_ length: Int, at place: Int) -> Int? {
    guard place >= 0, place + length <= bytes.count else { return nil }
    return bytes[place..<(place + length)].reduce(0) { $0 << 8 | Int($1) }
  }

  func little(_ length: Int, at place: Int) -> Int? {
    guard place >= 0, place + length <= bytes.count else { return nil }
    return bytes[place..<(place + length)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
