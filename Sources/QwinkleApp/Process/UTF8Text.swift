import Foundation

/// Text that the user gives in a file or through a pipe.
enum UTF8Text {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The characters of `data`, without the byte order mark that some programs write; nil if it isn't UTF-8:
  /// replacement characters would be posted.
  static func decoded(_ data: Data) -> String? {
    let bytes = data.starts(with: byteOrderMark) ? data.dropFirst(byteOrderMark.count) : data
    return String(validating: bytes, as: UTF8.self)
  }
}
