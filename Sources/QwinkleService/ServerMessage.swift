/// Checks whether the message in a server's error response is worth showing. Some messages only repeat the status.
enum ServerMessage {
  /// Words that add nothing to an error message.
  private static let emptyWords: Set<String> = [
    "a", "action", "an", "api", "are", "can", "cannot", "endpoint", "error", "for", "http", "is", "not", "object", "of",
    "or", "page", "post", "record", "request", "resource", "sorry", "status", "that", "the", "there", "this", "to",
    "was", "you", "your",
  ]

  /// Whether `message` only repeats the program's own message for `error`.
  static func repeats(_ error: DownloadError, _ message: String) -> Bool {
    guard let said = said(by: error) else { return false }
    return words(of: message).allSatisfy { emptyWords.contains($0) || said.contains($0) }
  }

  /// Returns the words in the program's message for an error, and their synonyms. Returns nil if the server's message
  /// is always worth showing.
  private static func said(by error: DownloadError) -> Set<String>? {
    switch error {
    case .notFound:
      [
        "404", "410", "available", "deleted", "doesn't", "does", "exist", "exists", "found", "gone", "longer",
        "missing", "no", "unknown", "visible",
      ]
    case .forbidden: ["403", "allow", "allowed", "do", "forbidden", "permitted"]
    case .needsAuthentication: ["401", "authentication", "in", "login", "needed", "required", "sign", "unauthorized"]
    case .rejected: ["400", "422", "bad", "entity", "rejected", "unprocessable", "unprocessed"]
    case .noRoom: ["507", "insufficient", "out", "space", "storage"]
    default: nil
    }
  }

  private static func words(of message: String) -> [String] {
    message.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "'") }.map(String.init)
  }
}
