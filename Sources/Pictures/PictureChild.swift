import CPictures
import LibC
import Terminal

/// The process that decodes pictures. It reads orders (requests to decode a picture) from standard input and writes
/// answers to standard output. A malicious picture can at most crash this process, which has no access to files or the
/// network.
public enum PictureChild {
  /// The command line argument that runs the program as this process.
  public static let argument = "--decode-pictures"
  /// Maximum address space in bytes, in addition to the memory of the program and its libraries.
  static let mostMemory = 192 << 20
  /// Maximum processor time per picture, in seconds.
  static let mostSeconds: Int32 = 5

  /// Answers orders until the input ends, an order is malformed or an answer can't be written. Then ends the process.
  public static func run() -> Never {
    let libraries = qw_picture_open()
    let decodes = libraries & Int32(QW_PICTURE_DECODES) != 0
    let draws = libraries & Int32(QW_PICTURE_DRAWS) != 0
    warmUp()
    let confinement = qw_picture_confine(mostMemory)
    // Decode nothing if the resource limits couldn't be set. The system call filter isn't required, because some
    // systems don't support it.
    let isConfined = confinement & Int32(QW_CONFINED_BY_LIMITS) != 0
    while let head = read(PictureFrames.orderLength), let (order, count) = PictureFrames.order(from: head),
      let bytes = read(count)
    {
      qw_picture_allow_seconds(mostSeconds)
      let answer: [UInt8]
      if order.form == .probe {
        answer = probe(libraries: libraries, confinement: confinement)
      } else if decodes, draws || order.form == .blurhash, isConfined {
        answer = picture(bytes, order)
      } else {
        answer = PictureFrames.head(of: .unavailable, size: .zero, byteCount: 0)
      }
      qw_picture_allow_seconds(0)
      guard write(answer) else { break }
    }
    exit(0)
  }

  /// Draws a tiny picture, so that the libraries complete their one-time setup before the process is confined.
  private static func warmUp() {
    let pixels = [UInt8](repeating: 255, count: 4 * 64)
    var (characters, colors, others) = ([UInt32](repeating: 0, count: 1), [Int32(0)], [Int32(0)])
    for count: Int32 in [16, 256, 1 << 24] {
      _ = qw_picture_draw(
        pixels, 8, 8, 1, 1, count, PictureOrder.Symbols.sextants.names, &characters, &colors, &others)
    }
    var length: Int32 = 0
    qw_picture_free_text(qw_picture_sixel(pixels, 8, 8, 1, 1, &length))
  }

  private static func picture(_ bytes: [UInt8], _ order: PictureOrder) -> [UInt8] {
    func refusal(_ error: PictureError) -> [UInt8] { PictureFrames.head(of: error, size: .zero, byteCount: 0) }
    guard let header = PictureHeader(bytes) else { return refusal(.unknownKind) }
    guard !header.isTooLarge else { return refusal(.tooManyPixels) }
    var (width, height): (Int32, Int32) = (0, 0)
    guard let decoded = qw_picture_decode(header.format.rawValue, bytes, bytes.count, &width, &height) else {
      return refusal(.damaged)
    }
    defer { qw_picture_release(decoded) }
    guard width > 0, height > 0 else { return refusal(.damaged) }
    let orientation = PictureOrientation(of: bytes, header.format)
    if order.form == .blurhash {
      return blurhash(of: decoded, Int(width), Int(height), orientation)
    }
    let (wide, high) = orientation.swapsSides ? (Int(height), Int(width)) : (Int(width), Int(height))
    let cut = order.fills ? middle(of: wide, high, order) : zoomed(into: wide, high, order)
    guard cut.size.rows > 0, cut.size.columns > 0 else { return refusal(.damaged) }
    let (across, down) = order.pixels(of: cut.size)
    var pixels = [UInt8](repeating: 0, count: 4 * across * down)
    let (columns, rows) = orientation.swapsSides ? (down, across) : (across, down)
    let part = orientation.source(of: cut.part, width: Int(width), height: Int(height))
    qw_picture_scale(
      decoded, Int32(part.left), Int32(part.top), Int32(part.width), Int32(part.height), Int32(columns), Int32(rows),
      &pixels)
    pixels = orientation.turned(pixels, width: columns, height: rows)
    var answer =
      switch order.form {
      case .pixels, .file: png(pixels, across, down, cut.size)
      case .sixel: sixels(pixels, across, down, cut.size)
      case .cells, .probe, .blurhash: cells(pixels, across, down, cut.size, order)
      }
    PictureFrames.set(cut.part.inThousandths(ofWidth: wide, height: high), in: &answer)
    return answer
  }

  /// Returns the largest centered part of the picture that has the proportions of the available space, which this part
  /// will fill. Also returns the size of that space.
  private static func middle(of width: Int, _ height: Int, _ order: PictureOrder) -> (part: PixelPart, size: Size) {
    let (across, down) = (order.room.columns * order.cell.width, order.room.rows * order.cell.height)
    guard across > 0, down > 0 else { return (PixelPart(0, 0, width, height), .zero) }
    let (wide, high) = (max(1, min(width, height * across / down)), max(1, min(height, width * down / across)))
    return (PixelPart((width - wide) / 2, (height - high) / 2, wide, high), order.room)
  }

  /// Returns the part of the picture that is visible at the requested zoom, and its size in cells. Without zoom, this
  /// is the whole picture at the largest size that fits into the available space.
  private static func zoomed(into width: Int, _ height: Int, _ order: PictureOrder) -> (part: PixelPart, size: Size) {
    let fit = PictureFit.size(width: width, height: height, in: order.room, cell: order.cell)
    guard order.zoom.isLarger, fit.rows > 0, fit.columns > 0 else { return (PixelPart(0, 0, width, height), fit) }
    func side(_ length: Int, _ fit: Int, _ room: Int, _ middle: Int) -> (start: Int, length: Int, cells: Int) {
      let cells = min(room, fit * order.zoom.percent / 100)
      let part = min(length, max(1, length * cells * 100 / (fit * order.zoom.percent)))
      return (min(max(0, length * middle / 1000 - part / 2), length - part), part, cells)
    }
    let across = side(width, fit.columns, order.room.columns, order.zoom.column)
    let down = side(height, fit.rows, order.room.rows, order.zoom.row)
    return (
      PixelPart(across.start, down.start, across.length, down.length), Size(rows: down.cells, columns: across.cells)
    )
  }

  private static func cells(
    _ pixels: [UInt8], _ width: Int, _ height: Int, _ size: Size, _ order: PictureOrder
  ) -> [UInt8] {
    let count = size.rows * size.columns
    var characters = [UInt32](repeating: 0, count: count)
    var foregrounds = [Int32](repeating: -1, count: count)
    var backgrounds = foregrounds
    let result = qw_picture_draw(
      pixels, Int32(width), Int32(height), Int32(size.columns), Int32(size.rows), Int32(order.colors),
      order.symbols.names, &characters, &foregrounds, &backgrounds)
    guard result == 0 else { return PictureFrames.head(of: .damaged, size: .zero, byteCount: 0) }
    var answer = PictureFrames.head(of: nil, size: size, byteCount: count * PictureFrames.cellLength)
    answer.reserveCapacity(answer.count + count * PictureFrames.cellLength)
    for index in 0..<count {
      PictureFrames.append(characters[index], to: &answer)
      PictureFrames.append(UInt32(bitPattern: foregrounds[index]), to: &answer)
      PictureFrames.append(UInt32(bitPattern: backgrounds[index]), to: &answer)
    }
    return answer
  }

  private static func blurhash(
    of decoded: UnsafeMutableRawPointer, _ width: Int, _ height: Int, _ orientation: PictureOrientation
  ) -> [UInt8] {
    let longer = max(width, height)
    let columns = max(1, min(width, width * Blurhash.mostPixels / longer))
    let rows = max(1, min(height, height * Blurhash.mostPixels / longer))
    var pixels = [UInt8](repeating: 0, count: 4 * columns * rows)
    qw_picture_scale(decoded, 0, 0, Int32(width), Int32(height), Int32(columns), Int32(rows), &pixels)
    pixels = orientation.turned(pixels, width: columns, height: rows)
    let (across, down) = orientation.swapsSides ? (rows, columns) : (columns, rows)
    let text = Array(Blurhash.text(of: pixels, width: across, height: down).utf8)
    return PictureFrames.head(of: nil, size: .zero, byteCount: text.count) + text
  }

  private static func png(_ pixels: [UInt8], _ width: Int, _ height: Int, _ size: Size) -> [UInt8] {
    var count: Int32 = 0
    guard let bytes = qw_picture_png(pixels, Int32(width), Int32(height), &count) else {
      return PictureFrames.head(of: .damaged, size: .zero, byteCount: 0)
    }
    defer { qw_picture_free(bytes) }
    return PictureFrames.head(of: nil, size: size, byteCount: Int(count))
      + Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  private static func sixels(_ pixels: [UInt8], _ width: Int, _ height: Int, _ size: Size) -> [UInt8] {
    var count: Int32 = 0
    guard
      let text = qw_picture_sixel(
        pixels, Int32(width), Int32(height), Int32(size.columns), Int32(size.rows), &count)
    else { return PictureFrames.head(of: .unavailable, size: .zero, byteCount: 0) }
    defer { qw_picture_free_text(text) }
    let bytes = UnsafeBufferPointer(start: text, count: Int(count)).map { UInt8(bitPattern: $0) }
    // Strip the start and end of the control string. They are added again when the picture is sent to the terminal.
    guard let start = bytes.firstIndex(of: UInt8(ascii: "\"")), let end = bytes.lastIndex(of: 0x1B), start < end else {
      return PictureFrames.head(of: .damaged, size: .zero, byteCount: 0)
    }
    return PictureFrames.head(of: nil, size: size, byteCount: end - start) + bytes[start..<end]
  }

  private static func probe(libraries: Int32, confinement: Int32) -> [UInt8] {
    var errors = [Int32](repeating: 0, count: 4)
    qw_picture_probe(&errors)
    let values = [libraries, confinement] + errors
    var answer = PictureFrames.head(of: nil, size: .zero, byteCount: 4 * values.count)
    for value in values { PictureFrames.append(UInt32(bitPattern: value), to: &answer) }
    return answer
  }

  // MARK: Standard input and output

  private static func read(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let part = bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { systemRead(0, $0 + done, count - done) } ?? 0
      }
      guard part > 0 else { return nil }
      done += part
    }
    return bytes
  }

  private static func write(_ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let part = bytes.withUnsafeBytes { buffer in
        buffer.baseAddress.map { systemWrite(1, $0 + done, bytes.count - done) } ?? 0
      }
      guard part > 0 else { return false }
      done += part
    }
    return true
  }
}
