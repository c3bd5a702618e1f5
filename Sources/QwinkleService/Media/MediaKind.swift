/// The expected kind of a fetched file. It decides the request's Accept header and the accepted content types.
public enum MediaKind: Hashable, Sendable {
  case picture
  /// A plain text, such as a theme, but not a web page.
  case text
  /// Any file except a web page, such as the user's own videos and sounds.
  case any

  var accept: String {
    switch self {
    case .picture: "image/avif,image/webp,image/png,image/jpeg,image/gif"
    case .text: "text/plain"
    case .any: "*/*"
    }
  }

  /// Whether a file with the content type `type` is accepted. Also accepts a file without a content type or with a
  /// generic binary type, because its bytes show its format anyway.
  func allows(_ type: String?) -> Bool {
    guard let type = type?.lowercased() else { return true }
    if type.hasPrefix("application/octet-stream") || type.hasPrefix("binary/") { return true }
    return switch self {
    case .picture: type.hasPrefix("image/")
    case .text: type.hasPrefix("text/") && !type.hasPrefix("text/html")
    case .any: !type.hasPrefix("text/html")
    }
  }
}
