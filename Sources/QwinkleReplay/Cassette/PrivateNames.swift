/// Names of JSON members, form fields and headers whose values a private recording copies unchanged, because users
/// don't write these values. A private recording treats all other values as user-written text and replaces them.
enum PrivateNames {
  private static let members: Set<String> = [
    "id", "uri", "url", "acct", "username", "visibility", "privacy", "language", "languages", "type", "avatar",
    "avatar_static", "header", "header_static", "group_key", "domain", "version", "timeline", "notifications", "home",
    "mime_types", "supported_mime_types", "content_type", "streaming_api", "streaming", "href", "scope", "scopes",
    "token_type", "grant_type", "response_type", "redirect_uri", "redirect_uris", "issuer", "limit", "local", "remote",
    "only_media", "resolve", "following", "exclude_types", "types", "exclude_replies", "exclude_reblogs",
    "exclude_direct", "pinned", "context", "filter_action", "policy", "web_visibility", "status_content_type",
    "force_login", "sensitive", "expires_in", "duration", "multiple", "hide_totals", "state", "with_muted", "offset",
    "last_read",
  ]
  private static let memberEndings = ["_id", "_ids", "_at", "_endpoint", "_supported", "_type"]
  /// Members that describe users' content, such as link previews and attachments. The URLs in these members are
  /// replaced too.
  private static let madeByPeople: Set<String> = ["card", "media_attachments", "attachments", "preview", "meta"]
  private static let headers: Set<String> = [
    "accept", "cache-control", "content-encoding", "content-type", "date", "idempotency-key", "link", "location",
    "retry-after", "server", "user-agent", "vary", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset",
    "authorization", "cookie", "set-cookie",
  ]

  static func keepsHeader(_ name: String) -> Bool { headers.contains(name.lowercased()) }

  /// Whether a value of `name` is copied unchanged, provided that it looks like an identifier
  /// (``ScrubbedAddress/isAtom(_:)``).
  static func keeps(_ name: String) -> Bool {
    let name = plain(name)
    return members.contains(name) || memberEndings.contains(where: name.hasSuffix)
  }

  /// Returns the replacement for a JSON string, or nil to leave it unchanged.
  static func replacement(for text: String, at path: [String]) -> String? {
    let name = path.last ?? ""
    if path.contains(where: { madeByPeople.contains($0) }) {
      if name == "blurhash" { return "L00000fQfQfQfQfQfQfQfQfQfQfQ" }
      if name == "type" || name == "id", ScrubbedAddress.isAtom(text) { return nil }
      return text.contains("://") && ScrubbedAddress.isAtom(text)
        ? ScrubbedAddress.replacing(text) : PrivateHTML.replacing(text)
    }
    if path.contains("tags"), name == "url" { return ScrubbedAddress.replacingTag(text) }
    return keeps(name) && ScrubbedAddress.isAtom(text) ? nil : PrivateHTML.replacing(text)
  }

  /// Returns the replacement for a form or query field, or nil to leave it unchanged.
  static func replacement(for value: String, of name: String) -> String? {
    keeps(name) && ScrubbedAddress.isAtom(value) ? nil : PrivateHTML.replacing(value)
  }

  /// Returns the replacement for a member's name, or nil to leave it unchanged.
  static func replacement(forName name: String) -> String? {
    name.utf8.count <= 64 && ScrubbedAddress.isAtom(name) ? nil : PrivateWords.replacing(name)
  }

  /// Returns the name in lower case, without the `[]` of a list.
  private static func plain(_ name: String) -> String {
    let name = name.lowercased()
    return name.hasSuffix("[]") ? String(name.dropLast(2)) : name
  }
}
