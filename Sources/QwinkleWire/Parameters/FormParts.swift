import SafeText

/// The parts of a `multipart/form-data` form (RFC 7578), which is how many clients post.
///
/// Reading takes time in proportion to the length of the body, whatever its content.
public struct FormParts: Sendable {
  /// A named value.
  public struct Part: Hashable, Sendable {
    /// The name as it was sent. Not cleaned.
    public var name: String
    /// The name of the file in the part; nil if the part is a value. Not cleaned.
    public var fileName: String?
    /// The content, byte for byte.
    public var body: [UInt8]

    /// The body as UTF-8; invalid bytes become U+FFFD. Not cleaned.
    public var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// More than any client sends. A form with more is refused rather than read in part.
  private static let mostParts = 1000
  private static let mostBoundaryBytes = 200
  private static let mostHeaderBytes = 8192

  /// The parts that have a name, in order.
  public private(set) var parts: [Part] = []

  /// Whether `contentType` is a multipart form's.
  public static func isUsed(for contentType: String?) -> Bool {
    contentType?.lowercased().trimmed().hasPrefix("multipart/form-data") ?? false
  }

  /// Reads `body`, whose Content-Type is `contentType`.
  ///
  /// - Throws: ``WireError``: `truncated` if the form has no end, as half of a post must not be taken for the whole;
  ///   `unexpected` if it is not a multipart form or has too many parts.
  public init(_ body: [UInt8], contentType: String?) throws(WireError) {
    guard !body.isEmpty else { throw .empty }
    guard Self.isUsed(for: contentType), let boundary = Self.boundary(in: contentType ?? "") else {
      throw .unexpected("a multipart form without a boundary")
    }
    var reader = Reader(body: body, delimiter: Array("--\(boundary)".utf8))
    guard reader.skipPart() != nil else { throw .truncated }
    while !reader.isAtEnd {
      guard let part = reader.skipPart() else { throw .truncated }
      guard parts.count < Self.mostParts else { throw .unexpected("a form with too many parts") }
      if let part = Self.part(in: body[part]) { parts.append(part) }
    }
  }

  /// The first value with this name that is not a file.
  public subscript(name: String) -> String? {
    parts.first { $0.name == name && $0.fileName == nil }?.text
  }

  private static func boundary(in contentType: String) -> String? {
    var rest = contentType.drop { $0 != ";" }
    while let (name, value) = HeaderParameters.next(in: &rest) {
      guard name == "boundary", let value else { continue }
      return value.isEmpty || value.utf8.count > mostBoundaryBytes || value.utf8.contains(0x0A) ? nil : value
    }
    return nil
  }

  /// The part in `bytes`, which begin with its header; nil if the header gives no name.
  private static func part(in bytes: ArraySlice<UInt8>) -> Part? {
    var position = bytes.startIndex
    var part: Part?
    while let end = bytes[position...].firstIndex(of: 0x0A) {
      let line = bytes[position..<end]
      position = end + 1
      guard position - bytes.startIndex <= mostHeaderBytes else { return nil }
      if line.isEmpty || line.elementsEqual([0x0D]) {
        part?.body = Array(bytes[position...])
        return part
      }
      part = part ?? named(by: String(decoding: line, as: UTF8.self))
    }
    return nil
  }

  /// The part, still empty, that a header line describes; nil if the line is about something else.
  private static func named(by line: String) -> Part? {
    guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == "content-disposition" else { return nil }
    var rest = line[line.index(after: colon)...].drop { $0 != ";" }
    var name: String?
    var fileName: String?
    while let (key, value) = HeaderParameters.next(in: &rest) {
      switch key {
      case "name": name = name ?? value
      case "filename", "filename*": fileName = fileName ?? value ?? ""
      default: break
      }
    }
    return name.map { Part(name: $0, fileName: fileName, body: []) }
  }
}

extension FormParts {
  /// Goes through a body from one delimiter to the next.
  private struct Reader {
    let body: [UInt8]
    let delimiter: [UInt8]
    private(set) var isAtEnd = false
    private var position = 0

    init(body: [UInt8], delimiter: [UInt8]) {
      self.body = body
      self.delimiter = delimiter
    }

    /// Moves past the next delimiter line and returns what comes before it; nil if there is no delimiter.
    mutating func skipPart() -> Range<Int>? {
      let start = position
      var lineStart = position
      while lineStart < body.count {
        if let next = delimiterEnd(at: lineStart) {
          position = next
          return start..<max(start, endOfLine(before: lineStart))
        }
        guard let newline = body[lineStart...].firstIndex(of: 0x0A) else { return nil }
        lineStart = newline + 1
      }
      return nil
    }

    /// The start of the line after the delimiter at `lineStart`; nil if there is no delimiter. Notes whether it is the
    /// last.
    private mutating func delimiterEnd(at lineStart: Int) -> Int? {
      guard body[lineStart...].starts(with: delimiter) else { return nil }
      var index = lineStart + delimiter.count
      let isLast = body[index...].starts(with: [0x2D, 0x2D])
      if isLast { index += 2 }
      while index < body.count, body[index] == 0x20 || body[index] == 0x09 { index += 1 }
      if index < body.count, body[index] == 0x0D { index += 1 }
      if index < body.count, body[index] == 0x0A { index += 1 } else if !isLast || index < body.count { return nil }
      isAtEnd = isLast
      return index
    }

    /// The end of the line before `lineStart`, without its line break, which belongs to the delimiter.
    private func endOfLine(before lineStart: Int) -> Int {
      var end = lineStart
      if end > 0, body[end - 1] == 0x0A { end -= 1 }
      if end > 0, end < lineStart, body[end - 1] == 0x0D { end -= 1 }
      return end
    }
  }
}
