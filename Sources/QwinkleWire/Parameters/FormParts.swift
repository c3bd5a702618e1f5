import SafeText

/// The parts of a `multipart/form-data` form (RFC 7578). Many clients post in this format.
///
/// Parsing takes time proportional to the length of the body.
public struct FormParts: Sendable {
  /// A named value.
  public struct Part: Hashable, Sendable {
    /// The name as sent, not sanitized.
    public var name: String
    /// The name of the part's file, not sanitized, or nil if the part is a value.
    public var fileName: String?
    /// The content, byte for byte.
    public var body: [UInt8]

    /// The body as UTF-8, not sanitized. Invalid bytes become U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// Maximum number of parts, which no client exceeds. A form with more parts is rejected, not truncated.
  private static let mostParts = 1000
  private static let mostBoundaryBytes = 200
  private static let mostHeaderBytes = 8192

  /// The parts that have a name, in order.
  public private(set) var parts: [Part] = []

  /// Whether `contentType` is `multipart/form-data`.
  public static func isUsed(for contentType: String?) -> Bool {
    contentType?.lowercased().trimmed().hasPrefix("multipart/form-data") ?? false
  }

  /// Parses `body`, whose Content-Type is `contentType`.
  ///
  /// - Throws: ``WireError``: `empty` for an empty body; `truncated` if the form is incomplete, so that half a post
  ///   isn't accepted as the whole; `unexpected` if the body is not a multipart form or has too many parts.
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

  /// The first value with this name that isn't a file.
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

  /// Parses a part, which begins with its header. Returns nil if the header has no name.
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

  /// Returns an empty part with the names in a Content-Disposition line, or nil if the line has no name.
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
  /// Splits a body at its delimiters.
  private struct Reader {
    let body: [UInt8]
    let delimiter: [UInt8]
    private(set) var isAtEnd = false
    private var position = 0

    init(body: [UInt8], delimiter: [UInt8]) {
      self.body = body
      self.delimiter = delimiter
    }

    /// Moves past the next delimiter line and returns the range before it. Returns nil if no delimiter line follows.
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

    /// Returns the start of the line after the delimiter at `lineStart`, or nil if the line isn't a delimiter. Sets
    /// ``isAtEnd`` if the delimiter is the last.
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

    /// Returns the end of the line before `lineStart`, without its line break, which belongs to the delimiter.
    private func endOfLine(before lineStart: Int) -> Int {
      var end = lineStart
      if end > 0, body[end - 1] == 0x0A { end -= 1 }
      if end > 0, end < lineStart, body[end - 1] == 0x0D { end -= 1 }
      return end
    }
  }
}
