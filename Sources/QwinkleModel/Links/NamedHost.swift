import SafeText

/// A host named in the visible text of a link.
struct NamedHost: Hashable, Sendable {
  /// The host as written in the text.
  let text: String
  /// The parsed host name, or nil if `text` isn't a valid host name.
  let name: HostName?
  /// Whether the text is truncated right after the host: `very-long.exam…`.
  let isCut: Bool

  var isASCII: Bool { text.utf8.allSatisfy { $0 < 0x80 } }

  static func first(in text: String) -> NamedHost? { all(in: text).first }

  /// Returns the hosts that `text` seems to name: names with a dot. In an address such as `https://example.org/kiosk`,
  /// ignores names after the host but includes a user name that looks like a host, such as `bank.example@`.
  static func all(in text: String) -> [NamedHost] {
    text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).flatMap { Self.all(inWord: $0) }
  }

  private typealias Scalars = Substring.UnicodeScalarView

  private static func all(inWord word: Scalars) -> [NamedHost] {
    var rest = word[...]
    let slashes = rest.firstRange(of: "://".unicodeScalars)
    if let slashes { rest = rest[slashes.upperBound...] }
    rest = rest.drop { $0 == "/" || $0 == "\\" }
    // Percent-decode the host, as browsers do.
    let shown = rest.prefix { !"/?#\\".unicodeScalars.contains($0) }
    let authority = PercentEncoding.valid(Substring(shown)).map { Substring($0).unicodeScalars } ?? shown
    if slashes != nil, authority.first == "[", let end = authority.firstIndex(of: "]") {
      let number = String(authority[...end])
      return [NamedHost(text: number, name: HostName(number), isCut: false)]
    }
    let runs = authority.split { !$0.isPartOfHost }.filter { !$0.allSatisfy(\.isDigit) }
    return runs.compactMap { run in
      let name = run.trimmed(where: \.isDot)
      // After a scheme, the last name is a host even without a dot.
      let isHost = slashes != nil && run.endIndex == runs.last?.endIndex && !name.isEmpty
      guard isHost || isDotted(name) else { return nil }
      let isCut = run.endIndex < authority.endIndex && authority[run.endIndex] == "…"
      return NamedHost(text: String(name), name: HostName(String(name)), isCut: isCut)
    }
  }

  /// Whether `name` looks like a host: `example.org` or `192.168.1.1`, but not `3.14` or `e.g.`.
  private static func isDotted(_ name: Scalars) -> Bool {
    let labels = name.split(omittingEmptySubsequences: false, whereSeparator: \.isDot)
    guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty }), let last = labels.last else { return false }
    if labels.count == 4, labels.allSatisfy({ $0.count < 4 && $0.allSatisfy(\.isDigit) }) { return true }
    guard last.count > 1 else { return false }
    // An East Asian full stop without a following space usually ends a sentence. It separates a host's labels only
    // before Latin letters.
    if name.contains(where: { $0.isDot && $0 != "." }) { return last.allSatisfy(\.isLatinLetter) }
    return last.allSatisfy { $0.properties.isAlphabetic || !$0.isBase } || last.starts(with: "xn--".unicodeScalars)
  }
}

extension WebAddress {
  /// The relation between a link's visible text and the link's host.
  public enum Naming: Hashable, Sendable {
    /// The text names no host.
    case nothing
    /// The text names the link's host.
    case host
    /// The text names the beginning of the link's host and is truncated there.
    case partOfHost
    /// The text names a different host.
    case anotherHost
  }

  /// Returns how `text`, the visible text of a link to this address, names the host.
  public func naming(by text: String) -> Naming {
    var naming = Naming.nothing
    for named in NamedHost.all(in: text) {
      if let name = named.name, name.isSameSite(as: hostName) {
        if naming == .nothing { naming = .host }
      } else if named.isCut, hostName.bare.hasPrefix(named.name?.bare ?? "?") || hostName.written.hasPrefix(named.text)
      {
        naming = .partOfHost
      } else {
        return .anotherHost
      }
    }
    return naming
  }

  /// Whether `text`, the visible text of a link to this address, names a different host.
  public func isMisnamed(by text: String) -> Bool { naming(by: text) == .anotherHost }
}

extension Unicode.Scalar {
  /// Whether the scalar can be part of a host name or looks as if it could.
  fileprivate var isPartOfHost: Bool {
    properties.isAlphabetic || properties.numericType == .decimal || isDot || !isBase || self == "-" || self == "_"
  }

  fileprivate var isDigit: Bool { (0x30...0x39).contains(value) }

  /// Whether browsers or readers treat the scalar as a dot in a name.
  fileprivate var isDot: Bool {
    switch value {
    case 0x2E, 0x2024, 0x3002, 0xFE52, 0xFF0E, 0xFF61: true
    default: false
    }
  }

  /// ASCII letters and their full-width forms.
  fileprivate var isLatinLetter: Bool {
    switch value {
    case 0x41...0x5A, 0x61...0x7A, 0xFF21...0xFF3A, 0xFF41...0xFF5A: true
    default: false
    }
  }

  /// Whether the scalar isn't a combining mark.
  fileprivate var isBase: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: false
    default: true
    }
  }
}
