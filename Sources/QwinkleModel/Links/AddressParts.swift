/// An address split as browsers do: they read a backslash as a slash, and the user name before a host often looks like
/// one. Parsed byte by byte, because a slash with a combining mark still ends the host.
struct AddressParts {
  let scheme: Substring
  /// The part before the `@`; empty if there is none.
  let user: Substring
  let host: Substring
  /// With its colon; empty if there is none.
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
  /// The port's number; nil if there is none or it is invalid.
  var portNumber: Int? {
    let digits = port.dropFirst()
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(digits).flatMap { (1...65535).contains($0) ? $0 : nil }
  }

  var hasValidPort: Bool { port.isEmpty || portNumber != nil }

  /// The port's number; nil if it is the scheme's default.
  var specialPort: Int? {
    let usual = ["http": 80, "https": 443][scheme.lowercased()]
    return portNumber == usual ? nil : portNumber
  }
}
