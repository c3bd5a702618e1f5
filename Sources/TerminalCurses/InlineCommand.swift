import FoundationEssentials
import SafeText
import Terminal

/// Commands that draw a picture at the cursor: a DCS string of sixels, or iTerm2's OSC 1337. The
/// ``EscapeSequenceFilter`` allows exactly the commands that this type creates, and no other commands of these
/// protocols.
enum InlineCommand {
  private static let sixelStart = "0;1;0q"
  private static let fileStart = "1337;File=inline=1;size="
  /// Maximum size of a file in bytes. A PNG of the largest picture is smaller.
  private static let mostBytes = 4 << 20

  /// Whether the picture's file and size are within the limits.
  static func canDraw(_ picture: PixelPicture) -> Bool {
    (1...mostBytes).contains(picture.bytes.count) && (1...PicturePlacement.largestSide).contains(picture.size.rows)
      && (1...PicturePlacement.largestSide).contains(picture.size.columns)
  }

  static func bytes(of picture: PixelPicture) -> [UInt8] {
    switch picture.format {
    case .sixel: return Array("\u{1B}P\(sixelStart)".utf8) + picture.bytes + Array("\u{1B}\\".utf8)
    case .png:
      let (size, count) = (picture.size, picture.bytes.count)
      let keys = "\(fileStart)\(count);width=\(size.columns);height=\(size.rows)\(fileEnd)"
      return Array("\u{1B}]\(keys)".utf8) + Array(Data(picture.bytes).base64EncodedData()) + Array("\u{1B}\\".utf8)
    }
  }

  private static let fileEnd = ";preserveAspectRatio=0;doNotMoveCursor=1:"

  /// Whether `content`, the bytes between `ESC P` and `ESC \`, is a picture.
  static func isAllowed(string content: ArraySlice<UInt8>) -> Bool {
    content.starts(with: sixelStart.utf8) && SixelText.size(of: content.dropFirst(sixelStart.utf8.count)) != nil
  }

  /// Whether `content`, the bytes between `ESC ]` and the terminator, is a picture.
  static func isAllowed(command content: ArraySlice<UInt8>) -> Bool {
    guard content.starts(with: fileStart.utf8), let colon = content.firstIndex(of: UInt8(ascii: ":")) else {
      return false
    }
    let keys = String(decoding: content[...colon], as: UTF8.self)
    guard keys.hasSuffix(fileEnd) else { return false }
    let numbers = keys.dropFirst(fileStart.count).dropLast(fileEnd.count).split(
      separator: ";", omittingEmptySubsequences: false)
    guard numbers.count == 3, let count = Int(numbers[0]), (1...mostBytes).contains(count),
      numbers[1].hasPrefix("width="), numbers[2].hasPrefix("height="),
      let columns = Int(numbers[1].dropFirst(6)), let rows = Int(numbers[2].dropFirst(7)),
      (1...PicturePlacement.largestSide).contains(columns), (1...PicturePlacement.largestSide).contains(rows)
    else { return false }
    let data = content[colon...].dropFirst()
    return data.count == (count + 2) / 3 * 4 && data.allSatisfy(\.isBase64)
  }
}
