/// What kind of file is fetched: what the server is asked for, and which types of answers are taken.
public enum MediaKind: Hashable, Sendable {
  case picture
  /// A plain text, such as a theme. No web page.
  case text

  var accept: String {
    switch self {
    case .picture: "image/avif,image/webp,image/png,image/jpeg,image/gif"
    case .text: "text/plain"
    }
  }

  /// Whether a file of a media type may be one; nil: the server doesn't say. What it is, its bytes say.
  func allows(_ type: String?) -> Bool {
    guard let type = type?.lowercased() else { return true }
    if type.hasPrefix("application/octet-stream") || type.hasPrefix("binary/") { return true }
    return switch self {
    case .picture: type.hasPrefix("image/")
    case .text: type.hasPrefix("text/") && !type.hasPrefix("text/html")
    }
  }
}
