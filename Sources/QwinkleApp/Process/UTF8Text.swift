import Foundation

/// Decodes text from the user's files and pipes.
enum UTF8Text {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Decodes `data` without the byte order mark that some programs write. Returns nil if `data` isn't UTF-8, so that no
  /// replacement characters are posted.
  static func decoded(_ data: Data) -> String? {
    let bytes = data.starts(with: byteOrderMark) ? data.dropFirst(byteOrderMark.count) : data
    return String(validating: bytes, as: UTF8.self)
  }
}
