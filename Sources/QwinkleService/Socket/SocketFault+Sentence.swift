import QwinkleWire
import SafeText

extension SocketFault {
  /// The failure, as one sentence. `path` must be safe to show.
  func summary(path: String) -> String {
    switch self {
    case .missing: "The server's socket \(path) does not exist."
    case .notListening: "The server at \(path) is not running."
    case .busy: "The server at \(path) accepts no more connections now."
    case .notAllowed: "You have no permission to connect to \(path)."
    case .untrusted(let reason): "\(path) is not trusted, because \(shortened(SafeText.line(reason)))."
    }
  }

  /// A remedy for the user.
  var advice: String {
    switch self {
    case .missing, .notListening: "Try again in a moment. If this persists, ask the admin of this host to start it."
    case .busy: "Try again in a moment."
    case .notAllowed: "Ask the admin of this host for access."
    case .untrusted: "Nothing was sent. Ask the admin of this host."
    }
  }

  /// Whether the same request may succeed a little later, for example after a restart of the server.
  var isTransient: Bool {
    switch self {
    case .missing, .notListening, .busy: true
    case .notAllowed, .untrusted: false
    }
  }
}
