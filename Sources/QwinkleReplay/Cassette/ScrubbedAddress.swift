import QwinkleModel

/// Replaces user-written words in URLs for private recordings.
enum ScrubbedAddress {
  private static let schemes: Set<String> = ["http", "https", "mailto"]

  /// Replaces all words in `url`, including its host, except its scheme.
  static func replacing(_ url: String) -> String {
    let scheme = String(url.prefix { $0 != ":" })
    guard scheme.count < url.count, schemes.contains(scheme) else { return words(url) }
    return scheme + ":" + words(String(url.dropFirst(scheme.count + 1)))
  }

  /// Replaces only the name at the end of a tag's URL, or all its words if the text before the name can't be a URL.
  static func replacingTag(_ url: String) -> String {
    guard let slash = url.lastIndex(of: "/"), isAtom(url[...slash]) else { return replacing(url) }
    return url[...slash] + words(String(url[url.index(after: slash)...]))
  }

  /// Replaces the names in an API path: any component after `tag` or `tags`, and any component that can't be an
  /// identifier.
  static func replacingPath(_ path: String) -> String {
    var isAfterTag = false
    return path.split(separator: "/", omittingEmptySubsequences: false).map { part in
      defer { isAfterTag = part == "tag" || part == "tags" }
      return !isAfterTag && isAtom(part) && !part.contains("%") ? String(part) : words(String(part))
    }.joined(separator: "/")
  }

  /// Whether `text` can be an identifier, a date or a URL: visible ASCII without spaces.
  static func isAtom(_ text: some StringProtocol) -> Bool {
    text.utf8.count <= 1000 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>\\`{}|^".utf8.contains($0) }
  }

  private static func words(_ text: String) -> String {
    let other = PrivateWords.replacing(PercentEncoding.decoded(text.utf8))
    return PercentEncoding.component(other, allowing: "/:?#[]@!$&'()*+,;=")
  }
}
