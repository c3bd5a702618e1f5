import QwinkleModel

/// Addresses that people wrote, with other words in them: hosts that do not exist.
enum PrivateAddress {
  private static let schemes: Set<String> = ["http", "https", "mailto"]

  /// `url` with its scheme alone kept.
  static func replacing(_ url: String) -> String {
    let scheme = String(url.prefix { $0 != ":" })
    guard scheme.count < url.count, schemes.contains(scheme) else { return words(url) }
    return scheme + ":" + words(String(url.dropFirst(scheme.count + 1)))
  }

  /// The address of a tag: only its name is somebody's.
  static func replacingTag(_ url: String) -> String {
    guard let slash = url.lastIndex(of: "/"), isAtom(url[...slash]) else { return replacing(url) }
    return url[...slash] + words(String(url[url.index(after: slash)...]))
  }

  /// A path of the API: what follows `tag` in it is the name of one.
  static func replacingPath(_ path: String) -> String {
    var isAfterTag = false
    return path.split(separator: "/", omittingEmptySubsequences: false).map { part in
      defer { isAfterTag = part == "tag" || part == "tags" }
      return !isAfterTag && isAtom(part) && !part.contains("%") ? String(part) : words(String(part))
    }.joined(separator: "/")
  }

  /// Whether `text` can be an identifier, a date, an address: visible ASCII in one piece.
  static func isAtom(_ text: some StringProtocol) -> Bool {
    text.utf8.count <= 1000 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>\\`{}|^".utf8.contains($0) }
  }

  private static func words(_ text: String) -> String {
    let other = PrivateWords.replacing(PercentEncoding.decoded(text.utf8))
    return PercentEncoding.component(other, allowing: "/:?#[]@!$&'()*+,;=")
  }
}
