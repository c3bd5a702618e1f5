/// Which members of JSON, fields of forms and headers stay as they are where what people wrote is replaced: those that
/// say how things hang together. What is not listed is taken for somebody's words.
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
  /// Whose addresses lead to what somebody made, not to who they are.
  private static let madeByPeople: Set<String> = ["card", "media_attachments", "attachments", "preview", "meta"]
  private static let headers: Set<String> = [
    "accept", "cache-control", "content-encoding", "content-type", "date", "idempotency-key", "link", "location",
    "retry-after", "server", "user-agent", "vary", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset",
    "authorization", "cookie", "set-cookie",
  ]

  /// Whether a header can stay.
  static func keepsHeader(_ name: String) -> Bool { headers.contains(name.lowercased()) }

  /// Whether what `name` names can stay where it looks like what it should be (``PrivateAddress/isAtom(_:)``).
  static func keeps(_ name: String) -> Bool {
    let name = plain(name)
    return members.contains(name) || memberEndings.contains(where: name.hasSuffix)
  }

  /// What stands in place of a text of JSON; nil where it can stay.
  static func replacement(for text: String, at path: [String]) -> String? {
    let name = path.last ?? ""
    if path.contains(where: { madeByPeople.contains($0) }) {
      if name == "blurhash" { return "L00000fQfQfQfQfQfQfQfQfQfQfQ" }
      if name == "type" || name == "id", PrivateAddress.isAtom(text) { return nil }
      return text.contains("://") && PrivateAddress.isAtom(text)
        ? PrivateAddress.replacing(text) : PrivateHTML.replacing(text)
    }
    if path.contains("tags"), name == "url" { return PrivateAddress.replacingTag(text) }
    return keeps(name) && PrivateAddress.isAtom(text) ? nil : PrivateHTML.replacing(text)
  }

  /// What stands in place of a field of a form or a query; nil where it can stay.
  static func replacement(for value: String, of name: String) -> String? {
    keeps(name) && PrivateAddress.isAtom(value) ? nil : PrivateHTML.replacing(value)
  }

  /// What stands in place of the name of a member; nil where it can stay.
  static func replacement(forName name: String) -> String? {
    name.utf8.count <= 64 && PrivateAddress.isAtom(name) ? nil : PrivateWords.replacing(name)
  }

  /// Without what says that there can be several.
  private static func plain(_ name: String) -> String {
    let name = name.lowercased()
    return name.hasSuffix("[]") ? String(name.dropLast(2)) : name
  }
}
