/// The parts of a URL, split as browsers do: a backslash counts as a slash, and the text before an `@` is the user
/// name, even if it looks like a host. Parsed byte by byte, because a slash with a combining mark isn't equal to the
/// character `/` but still ends the host.
struct AddressParts {
  let scheme: Substring
  /// The part before the `@`, or an empty string.
  let user: Substring
  let host: Substring
  /// Includes the colon. Empty if the URL has no port.
  let port: Substring
  /// Path, query and fragment.
  let tail: Substring

  /// Nil if `url` has no `://`.
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
    }
    scheme = url[..<colon]
    user = url[start..<(at ?? start)]
    host = url[place..<portStart]
    port = url[portStart..<end]
    tail = url[end...]
  }
  /// The port number, or nil if the address has no port or an invalid one.
  var portNumber: Int? {
    let digits = port.dropFirst()
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(digits).flatMap { (1...65535).contains($0) ? $0 : nil }
  }

  var hasValidPort: Bool { port.isEmpty || portNumber != nil }

  /// The port number, or nil if the URL has no port or the scheme's default port.
  var specialPort: Int? {
    let usual = ["http": 80, "https": 443][scheme.lowercased()]
    return portNumber == usual ? nil : portNumber
  }
}
