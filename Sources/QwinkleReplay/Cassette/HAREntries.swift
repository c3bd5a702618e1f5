import FoundationEssentials
import QwinkleWire

/// Reads the entries of a malformed HAR one by one.
enum HAREntries {
  /// Returns an error that names the first unreadable entry. If every entry is readable, returns an error that
  /// describes `error`.
  static func blame(for error: any Error, in bytes: [UInt8]) -> CassetteError {
    for (index, range) in ranges(in: bytes).enumerated() {
      do {
        _ = try JSONDecoder().decode(Cassette.Entry.self, from: Data(bytes[range]))
      } catch {
        let line = bytes[..<range.lowerBound].count { $0 == 0x0A } + 1
        return .damagedEntry(number: index + 1, line: line, reason: words(for: error))
      }
    }
    return .notHAR(reason: words(for: error))
  }

  /// Repairs a truncated HAR: removes everything after the last whole entry and closes the brackets. Returns nil if the
  /// text lacks `"entries":[`, spelled as in Qwinkle's own unfinished recordings.
  static func ended(_ bytes: [UInt8]) -> [UInt8]? {
    guard let start = bytes.firstRange(of: Array(#""entries":["#.utf8)) else { return nil }
    let whole = ranges(in: bytes).last { range in
      (try? JSONDecoder().decode(Cassette.Entry.self, from: Data(bytes[range]))) != nil
    }
    return bytes[..<(whole?.upperBound ?? start.upperBound)] + Array("]}}".utf8)
  }

  /// Returns the ranges of the elements of `log.entries`. An unfinished element extends to the end.
  private static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var depth = 0
    var position = 0
    var start: Int?
    var isInEntries = false
    var lastText: Range<Int>?
    while position < bytes.count {
      let byte = bytes[position]
      if isInEntries, depth == 3, start == nil, !JSONRewriter.isSpace(byte), !",]".utf8.contains(byte) {
        start = position
      }
      switch byte {
      case UInt8(ascii: "\""):
        let end = JSONCutter.endOfString(in: bytes, at: position) ?? bytes.count
        lastText = position..<end
        position = end
        continue
      case UInt8(ascii: "["):
        if depth == 2, let text = lastText, bytes[text].elementsEqual("\"entries\"".utf8) { isInEntries = true }
        depth += 1
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      position += 1
      if isInEntries, let first = start, depth == 3, byte == UInt8(ascii: "}") || byte == UInt8(ascii: ",") {
        ranges.append(first..<(byte == UInt8(ascii: ",") ? position - 1 : position))
        start = nil
      }
      if isInEntries, depth < 3 {
        if let start { ranges.append(start..<(position - 1)) }
        return ranges
      }
    }
    if let start { ranges.append(start..<bytes.count) }
    return ranges
  }

  private static func words(for error: any Error) -> String {
    guard let error = error as? DecodingError else { return "it cannot be read" }
    switch error {
    case .keyNotFound(let key, let context): return "\(path(context.codingPath + [key])) is missing"
    case .valueNotFound(_, let context), .typeMismatch(_, let context):
      return "\(path(context.codingPath)) has the wrong type"
    case .dataCorrupted(let context):
      return context.codingPath.isEmpty ? "it is not JSON" : "\(path(context.codingPath)) cannot be read"
    @unknown default: return "it cannot be read"
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    let path = keys.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }.joined(separator: ".")
    return path.isEmpty ? "it" : path
  }
}
