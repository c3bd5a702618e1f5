import SafeText

/// Comma-separated values (RFC 4180), as in the files that Mastodon exports and imports.
public enum CSVTable {
  /// Encodes a row.
  public static func line(_ fields: [String]) -> [UInt8] {
    let quoted = fields.map { field in
      let needsQuotes = field.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
      return needsQuotes ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
    }
    return Array((quoted.joined(separator: ",") + "\n").utf8)
  }

  /// No user has longer lists.
  private static let mostRows = 200_000

  /// Returns the rows of a file, at most 200,000. Fields are sanitized and trimmed. Empty rows are left out.
  public static func rows(_ bytes: [UInt8]) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var field: [UInt8] = []
    var isQuoted = false
    var position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0

    func endField() {
      row.append(SafeText.line(String(decoding: field, as: UTF8.self)).trimmed())
      field = []
    }
    func endRow() {
      endField()
      if row.contains(where: { !$0.isEmpty }) { rows.append(row) }
      row = []
    }
    while position < bytes.count, rows.count < mostRows {
      let byte = bytes[position]
      position += 1
      if isQuoted {
        if byte != UInt8(ascii: "\"") {
          field.append(byte)
        } else if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
          field.append(byte)
          position += 1
        } else {
          isQuoted = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isQuoted = true
      case UInt8(ascii: ","): endField()
      case 0x0A, 0x0D: endRow()
      default: field.append(byte)
      }
    }
    if rows.count < mostRows { endRow() }
    return rows
  }
}
