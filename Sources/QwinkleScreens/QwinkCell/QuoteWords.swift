import QwinkleModel

/// What is said of a quoted qwink.
enum QuoteWords {
  /// Why a quoted qwink isn't shown.
  static func hidden(_ quote: Qwink.Quote) -> String {
    switch quote.state {
    case "pending": "Quoted qwink: its author has not allowed that yet"
    case "rejected", "revoked": "Quoted qwink: its author does not allow that"
    case "deleted": "Quoted qwink: deleted"
    case "unauthorized": "Quoted qwink: not visible to you"
    case "blocked_account", "blocked_domain", "muted_account": "Quoted qwink: by somebody you don't want to see"
    default: "Quoted qwink: not shown by the server"
    }
  }
}
