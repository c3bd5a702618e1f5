import SafeText

/// A host that the visible words of a link name.
struct NamedHost: Hashable, Sendable {
  /// As it stands there.
  let text: String
  /// What it says; nil where no host can be called so.
  let name: HostName?
  /// Whether the words were cut right behind it: `very-long.exam…`.
  let isCut: Bool

  var isASCII: Bool { text.utf8.allSatisfy { $0 < 0x80 } }

  /// The first of ``all(in:)``.
  static func first(in text: String) -> NamedHost? { all(in: text).first }

  /// The hosts that `text` seems to name: in an address (`https://example.org/kiosk`) what stands before the path, also
  /// where that is really somebody's name (`bank.example@`), and names with a dot among its words.
  static func all(in text: String) -> [NamedHost] {
    text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).flatMap { Self.all(inWord: $0) }
  }

  private typealias Scalars = Substring.UnicodeScalarView

  private static func all(inWord word: Scalars) -> [NamedHost] {
    var rest = word[...]
    let slashes = rest.firstRange(of: "://".unicodeScalars)
    if let slashes { rest = rest[slashes.upperBound...] }
    rest = rest.drop { $0 == "/" || $0 == "\\" }
    // What is encoded is read as browsers read it.
    let shown = rest.prefix { !"/?#\\".unicodeScalars.contains($0) }
    let authority = PercentEncoding.valid(Substring(shown)).map { Substring($0).unicodeScalars } ?? shown
    if slashes != nil, authority.first == "[", let end = authority.firstIndex(of: "]") {
      let number = String(authority[...end])
      return [NamedHost(text: number, name: HostName(number), isCut: false)]
    }
    let runs = authority.split { !$0.isPartOfHost }.filter { !$0.allSatisfy(\.isDigit) }
    return runs.compactMap { run in
      let name = run.trimmed(where: \.isDot)
      // Behind a scheme every name is one of a host.
      let isHost = slashes != nil && run.endIndex == runs.last?.endIndex && !name.isEmpty
      guard isHost || isDotted(name) else { return nil }
      let isCut = run.endIndex < authority.endIndex && authority[run.endIndex] == "…"
      return NamedHost(text: String(name), name: HostName(String(name)), isCut: isCut)
    }
  }

  /// Whether `name` looks like a host's: `example.org`, `192.168.1.1`, but not `3.14` or `e.g.`.
  private static func isDotted(_ name: Scalars) -> Bool {
    let labels = name.split(omittingEmptySubsequences: false, whereSeparator: \.isDot)
    guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty }), let last = labels.last else { return false }
    if labels.count == 4, labels.allSatisfy({ $0.count < 4 && $0.allSatisfy(\.isDigit) }) { return true }
    guard last.count > 1 else { return false }
    // A full stop of East Asian texts ends sentences, which have no space behind it.
    if name.contains(where: { $0.isDot && $0 != "." }) { return last.allSatisfy(\.isLatinLetter) }
    return last.allSatisfy { $0.properties.isAlphabetic || !$0.isBase } || last.starts(with: "xn--".unicodeScalars)
  }
}

extension WebAddress {
  /// What the visible words of a link to an address say of where it goes.
  public enum Naming: Hashable, Sendable {
    /// They name no host.
    case nothing
    /// The host of the address.
    case host
    /// The beginning of that host.
    case partOfHost
    /// Another host.
    case anotherHost
  }

  /// What `text`, the visible words of a link to here, says of where it goes.
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

  /// The host that `text`, the visible words of a link, seems to name first: `example.org` of `example.org/kiosk`; nil
  /// where the text does not look like an address.
  public static func hostNamed(in text: String) -> String? {
    NamedHost.first(in: text).map { $0.name?.written ?? $0.text }
  }

  /// Whether `text`, the visible words of a link to here, names another host.
  public func isMisnamed(by text: String) -> Bool { naming(by: text) == .anotherHost }
}

extension Unicode.Scalar {
  /// Whether it can stand in the name of a host, or looks as if.
  fileprivate var isPartOfHost: Bool {
    properties.isAlphabetic || properties.numericType == .decimal || isDot || !isBase || self == "-" || self == "_"
  }

  fileprivate var isDigit: Bool { (0x30...0x39).contains(value) }

  /// Whether browsers, or eyes, take it for the dot of a name.
  fileprivate var isDot: Bool {
    switch value {
    case 0x2E, 0x2024, 0x3002, 0xFE52, 0xFF0E, 0xFF61: true
    default: false
    }
  }

  /// Letters of ASCII, also in the width of East Asian ones.
  fileprivate var isLatinLetter: Bool {
    switch value {
    case 0x41...0x5A, 0x61...0x7A, 0xFF21...0xFF3A, 0xFF41...0xFF5A: true
    default: false
    }
  }

  /// Whether it is no mark on what stands before it.
  fileprivate var isBase: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: false
    default: true
    }
  }
}
