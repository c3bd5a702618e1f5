/// A part of a picture, in pixels.
struct PixelPart: Hashable {
  var left: Int
  var top: Int
  var width: Int
  var height: Int

  init(_ left: Int, _ top: Int, _ width: Int, _ height: Int) {
    self.left = left
    self.top = top
    self.width = width
    self.height = height
  }

  /// Returns the part in thousandths of the whole picture.
  func inThousandths(ofWidth wholeWidth: Int, height wholeHeight: Int) -> PicturePart {
    let (left, top) = (left * 1000 / wholeWidth, top * 1000 / wholeHeight)
    return PicturePart(
      left: min(left, 999), top: min(top, 999), width: min(max(1, width * 1000 / wholeWidth), 1000 - min(left, 999)),
      height: min(max(1, height * 1000 / wholeHeight), 1000 - min(top, 999)))
  }
}

/// The orientation of the camera, from a file's EXIF data. Viewers rotate and mirror the picture accordingly (EXIF
/// 2.32, tag 0x0112).
public struct PictureOrientation: Hashable, Sendable {
  /// From 1 (upright) to 8.
  public let value: Int

  public init(_ value: Int) { self.value = (1...8).contains(value) ? value : 1 }

  /// Reads the orientation from a file. Upright if the file doesn't store one.
  public init(of bytes: [UInt8], _ format: PictureHeader.Format) {
    let bytes = HeaderBytes(bytes)
    let start =
      switch format {
      case .jpeg: Self.startInJPEG(bytes)
      case .webp: Self.startInWebP(bytes)
      case .png: Self.startInPNG(bytes)
      // GIF files store no orientation. The AVIF decoder applies the orientation itself.
      case .gif, .avif: Int?.none
      }
    self.init(start.map { Self.value(in: bytes, from: $0) } ?? 1)
  }

  /// Whether width and height are exchanged.
  public var swapsSides: Bool { value >= 5 }

  /// Returns the pixels turned upright. `pixels` has four bytes per pixel; `width` and `height` are its size before
  /// turning.
  func turned(_ pixels: [UInt8], width: Int, height: Int) -> [UInt8] {
    guard value != 1 else { return pixels }
    let columns = swapsSides ? height : width
    let rows = swapsSides ? width : height
    var turned = [UInt8](repeating: 0, count: pixels.count)
    for row in 0..<rows {
      for column in 0..<columns {
        let (x, y) = source(column, row, width, height)
        let (from, to) = (4 * (y * width + x), 4 * (row * columns + column))
        for part in 0..<4 { turned[to + part] = pixels[from + part] }
      }
    }
    return turned
  }

  /// Maps a part of the upright picture to the file's pixels, which are `width` by `height`.
  func source(of part: PixelPart, width: Int, height: Int) -> PixelPart {
    let (left, top, wide, high) = (part.left, part.top, part.width, part.height)
    return switch value {
    case 2: PixelPart(width - left - wide, top, wide, high)
    case 3: PixelPart(width - left - wide, height - top - high, wide, high)
    case 4: PixelPart(left, height - top - high, wide, high)
    case 5: PixelPart(top, left, high, wide)
    case 6: PixelPart(top, height - left - wide, high, wide)
    case 7: PixelPart(width - top - high, height - left - wide, high, wide)
    case 8: PixelPart(width - top - high, left, high, wide)
    default: part
    }
  }

  /// Returns the position in the file of the pixel at `column` and `row` of the upright picture.
  private func source(_ column: Int, _ row: Int, _ width: Int, _ height: Int) -> (x: Int, y: Int) {
    switch value {
    case 2: (width - 1 - column, row)
    case 3: (width - 1 - column, height - 1 - row)
    case 4: (column, height - 1 - row)
    case 5: (row, column)
    case 6: (row, height - 1 - column)
    case 7: (width - 1 - row, height - 1 - column)
    case 8: (width - 1 - row, column)
    default: (column, row)
    }
  }

  // MARK: Position in the file

  private static func startInJPEG(_ bytes: HeaderBytes) -> Int? {
    var place = 2
    while bytes[place] == 0xFF, let marker = bytes[place + 1], marker != 0xDA, marker != 0xD9 {
      guard let length = bytes.big(2, at: place + 2), length >= 2 else { return nil }
      if marker == 0xE1, bytes.has("Exif\0\0", at: place + 4) { return place + 10 }
      place += 2 + length
    }
    return nil
  }

  private static func startInWebP(_ bytes: HeaderBytes) -> Int? {
    var place = 12
    while let length = bytes.little(4, at: place + 4) {
      if bytes.has("EXIF", at: place) { return place + (bytes.has("Exif\0\0", at: place + 8) ? 14 : 8) }
      place += 8 + length + length % 2
    }
    return nil
  }

  private static func startInPNG(_ bytes: HeaderBytes) -> Int? {
    var place = 8
    while let length = bytes.big(4, at: place), !bytes.has("IEND", at: place + 4) {
      if bytes.has("eXIf", at: place + 4) { return place + 8 }
      place += 12 + length
    }
    return nil
  }

  /// Returns the orientation from the TIFF structure at `start`, or 1 if the structure is malformed or has none.
  private static func value(in bytes: HeaderBytes, from start: Int) -> Int {
    let isBig = bytes.has("MM", at: start)
    guard isBig || bytes.has("II", at: start) else { return 1 }
    func number(_ place: Int, _ length: Int) -> Int? {
      isBig ? bytes.big(length, at: start + place) : bytes.little(length, at: start + place)
    }
    guard number(2, 2) == 42, let first = number(4, 4), let count = number(first, 2) else { return 1 }
    for entry in 0..<count {
      let place = first + 2 + 12 * entry
      guard let tag = number(place, 2) else { return 1 }
      if tag == 0x0112, number(place + 2, 2) == 3 { return number(place + 8, 2) ?? 1 }
    }
    return 1
  }
}
