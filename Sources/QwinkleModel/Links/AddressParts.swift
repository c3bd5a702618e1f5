/// An address taken apart as browsers do: they take a backslash for a slash, and what names a user stands before the
/// host and often looks like one. It is read byte by byte, as a slash with a mark on it is still the end of the host.
struct AddressParts {
  let scheme: Substring
  /// What stands before the `@`; empty where nothing does.
  let user: Substring
  let host: Substring
  /// With its colon; empty where there is none.
  let port: Substring
  /// Path, query and fragment.
  let tail: Substring

  /// Nil where `url` has no `://`, or a port that is none.
  init?(_ url: String) {
    let bytes = url.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
      return nil
    }
    let start = bytes.index(colon, offsetBy: 3)
    let end = bytes[start...].firstIndex { "/?#\\".utf8.contains($0) } ?? bytes.endIndex
    let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@"))
    let place = at.map { bytes.index(after: $0) } ?? start
    var portStart = end
    if let colon = bytes[place..<end].lastIndex(of: UInt8(ascii: ":")), !bytes[colon..<end].contains(UInt8(ascii: "]"))
    {
      portStart = colon
      let digits = url[bytes.index(after: colon)..<end]
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits), (1...65535).contains(port)
      else { return nil }
    }
    scheme = url[..<colon]
    user = url[start..<(at ?? start)]
    host = url[place..<portStart]
    port = url[portStart..<end]
    tail = url[end...]
  }
}
