import Terminal

/// Replaces the marks of links in the output of ncurses with commands that begin and end a link (OSC 8).
///
/// ncurses doesn't know links, but it knows marks: each cell of a link contains a character and a mark without width,
/// ``Substitute/links``. Therefore ncurses writes exactly the cells whose link has changed, and cells that it moves
/// keep their links.
enum LinkSequences {
  /// The command after the text of a link.
  static let end = Array("\u{1B}]8;;\u{1B}\\".utf8)
  private static let markBytes = 4

  /// Returns the mark of a cell in the link with this number, or 0 if the link isn't for the terminal.
  static func mark(ofLink number: Int, in links: LinkTable) -> UInt32 {
    guard let address = links[number]?.address, address.utf8.count <= TextLink.maximumAddressBytes else { return 0 }
    return Substitute.links.lowerBound + UInt32(number)
  }

  /// Returns `bytes` with links in place of marks. Before each mark there is the one character of its cell. Fragments
  /// of a link have the same id, so that the terminal opens a link in several rows as one.
  static func expanding(_ bytes: [UInt8], links: LinkTable) -> [UInt8] {
    var output: [UInt8] = []
    var open: Int?
    var copied = 0
    var index = 0
    // In UTF-8, only characters of plane 16 begin with this byte.
    while let place = bytes[index...].firstIndex(of: 0xF4) {
      index = min(place + markBytes, bytes.count)
      guard let number = number(ofMark: bytes[place..<index]), let address = links[number]?.address else { continue }
      let start = startOfCharacter(before: place, in: bytes)
      if open != number || start > copied {
        if open != nil { output += end }
        output += bytes[copied..<start]
        output += "\u{1B}]8;id=\(number);\(address)\u{1B}\\".utf8
        open = number
      }
      output += bytes[start..<place]
      copied = index
    }
    guard open != nil else { return bytes }
    return output + end + bytes[copied...]
  }

  private static func number(ofMark bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count == markBytes else { return nil }
    let scalar = bytes.reduce(0 as UInt32) { $0 << 6 | UInt32($1 & 0x3F) } & 0x1F_FFFF
    return self.number(ofMark: scalar)
  }

  /// Returns the number of the link that a mark belongs to, or nil if the scalar is no mark.
  static func number(ofMark scalar: UInt32) -> Int? {
    Substitute.links.contains(scalar) ? Int(scalar - Substitute.links.lowerBound) : nil
  }

  private static func startOfCharacter(before place: Int, in bytes: [UInt8]) -> Int {
    var start = place - 1
    while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return max(0, start)
  }

  /// Whether the content of a command is the beginning or the end of a link.
  static func isAllowed(command content: ArraySlice<UInt8>) -> Bool {
    if content.elementsEqual("8;;".utf8) { return true }
    let id = content.dropFirst(5).prefix { 0x30...0x39 ~= $0 }
    let address = content.dropFirst(6 + id.count)
    return content.starts(with: "8;id=".utf8) && content.dropFirst(5 + id.count).first == UInt8(ascii: ";")
      && !id.isEmpty && (address.starts(with: "https://".utf8) || address.starts(with: "http://".utf8))
      && address.count <= TextLink.maximumAddressBytes && address.allSatisfy { 0x21...0x7E ~= $0 }
  }
}
