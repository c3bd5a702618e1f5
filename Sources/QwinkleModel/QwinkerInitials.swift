/// Initials and a colour to show in place of a missing avatar. They are the same on every machine.
extension Qwinker {
  /// One or two letters from the display name, or else from the user name.
  public var initials: [String] {
    let words = nameWithoutEmoji.split { !$0.isLetter && !$0.isNumber }
    var letters = words.prefix(2).compactMap(\.first).map { $0.uppercased() }
    if words.count == 1, let word = words.first {
      letters = word.prefix(2).map { $0.uppercased() }
    }
    return letters.isEmpty ? userName.prefix(2).map { $0.uppercased() } : letters
  }

  /// The display name without shortcodes such as `:blobcat:`, which represent pictures.
  private var nameWithoutEmoji: String {
    guard displayName.utf8.contains(UInt8(ascii: ":")) else { return displayName }
    let parts = displayName.split(separator: ":", omittingEmptySubsequences: false)
    let words = parts.enumerated().map { index, part in
      let isBetweenColons = index % 2 == 1 && index < parts.count - 1
      return isBetweenColons && part.allSatisfy(Self.isOfShortcode) ? "" : part
    }
    return words.joined(separator: " ")
  }

  private static func isOfShortcode(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "_")
  }

  /// The user name with the host of the profile page, which is the same on every server: `alice@example.org`. Equals
  /// ``handle`` if the page has no public host, as in the service on this machine.
  public var addressOnAllServers: String {
    guard let host = url?.split(separator: "/").dropFirst().first, host.utf8.contains(UInt8(ascii: ".")) else {
      return handle
    }
    return Handle.key("\(userName)@\(host)")
  }

  /// Returns the index of the colour for `name` in a palette of `count` colours.
  public static func color(of name: String, count: Int) -> Int {
    let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return Int(hash % UInt32(count))
  }
}
