import QwinkleModel
import QwinkleWire
import SafeText
import Timekeeping

extension DownloadError {
  /// The failure, its cause and a remedy, as one line of safe text for the user.
  public var sentence: String {
    guard case .signInExpired(let host, let server) = self else {
      return advice.isEmpty ? summary : "\(summary) \(advice)"
    }
    return "\(safe(host)) no longer accepts your sign-in. Sign in again: qwinkle login \(safe(server))"
  }

  /// The failure and its cause, as one sentence.
  public var summary: String {
    switch self {
    case .transport(let error): error.summary
    case .needsAuthentication(let host, let message): "\(safe(host)) requires you to sign in\(reason(message))."
    case .signInExpired(let host, _): "\(safe(host)) no longer accepts your sign-in."
    case .forbidden(let host, let message): "\(safe(host)) does not allow this\(reason(message))."
    case .notFound(let host, let message): "Not found at \(safe(host))\(reason(message))."
    case .unsupported(let host, let ability): "\(safe(host)) does not support \(ability.words)."
    case .unsupportedHere(let host, let ability):
      "\(safe(host)) does not support \(ability.words), or not for this one."
    case .rejected(let host, let message): "\(safe(host)) rejected this\(reason(message))."
    case .rateLimited(let host, _): "Too many requests to \(safe(host))."
    case .tooLargeToSend(let host): "Too large for \(safe(host))."
    case .noRoom(let host, let message): "\(safe(host)) is out of space\(reason(message))."
    case .serverFailed(let host, let status): "Server error at \(safe(host)) (HTTP \(status))."
    case .unreadable(let host, let reason):
      "Unreadable response from \(safe(host)): \(shortened(SafeText.line(reason)))."
    case .badRedirect(let host): "\(safe(host)) redirects to an address that Qwinkle cannot follow."
    case .unexpectedStatus(let host, let status):
      "Unexpected response from \(safe(host)) (HTTP \(status))."
    }
  }

  /// Returns the server's message in parentheses, or an empty string if the message is empty or only repeats the error.
  private func reason(_ message: String) -> String {
    ServerMessage.repeats(self, message) ? "" : quoting(message)
  }

  /// A remedy for the user in one or two sentences, or empty.
  public var advice: String {
    switch self {
    case .transport(let error): error.advice
    case .needsAuthentication: "Sign in: qwinkle login URL"
    case .signInExpired(_, let server): "Sign in again: qwinkle login \(safe(server))"
    case .forbidden: "Try another account."
    case .notFound: "It was deleted, is not visible to you, or the address is wrong."
    case .unsupported, .unsupportedHere: ""
    case .rejected(_, ""): "It gave no reason: it may not support this."
    case .rejected: "Change it and try again."
    case .rateLimited(_, let wait?): "Wait \(words(for: wait)), then try again."
    case .rateLimited(_, nil): "Wait a few minutes, then try again."
    case .tooLargeToSend: "Shorten it and try again."
    case .noRoom(_, let message): reason(message).isEmpty ? "Try again later." : ""
    case .serverFailed: "Try again in a moment."
    case .unreadable: "Try again. If this persists, check that the address is a Mastodon-compatible server."
    case .badRedirect: "Check the server's address."
    case .unexpectedStatus: "Try again. If this persists, check the server's address."
    }
  }

  /// Whether the request may have taken effect anyway: the response is missing, or it may be from a proxy in front of
  /// the server.
  public var mayHaveArrived: Bool {
    switch self {
    case .transport(.timedOut), .transport(.interrupted), .transport(.malformed), .transport(.tooLarge),
      .transport(.cancelled), .unreadable:
      true
    case .serverFailed(_, let status): status != 501
    case .unexpectedStatus(_, let status): status == 408
    default: false
    }
  }

  /// Whether nothing was sent, because no connection was established.
  public var wasNotSent: Bool {
    switch self {
    case .transport(.unknownHost), .transport(.refused), .transport(.untrusted), .transport(.socket): true
    default: false
    }
  }

  /// The message to show instead of ``sentence`` when a post fails.
  public var sentenceForPost: String {
    mayHaveArrived
      ? "\(summary) It may have been posted anyway: check before you send it again." : "Not posted. \(sentence)"
  }

  /// The message to show instead of ``sentence`` when an edit fails.
  public var sentenceForEdit: String {
    mayHaveArrived
      ? "\(summary) It may have been saved anyway; saving again is safe." : "Not saved. \(sentence)"
  }

  /// The time that the server asks to wait, if any.
  public var retryAfter: Duration? {
    if case .rateLimited(_, let wait) = self { wait } else { nil }
  }

  /// Whether requests keep failing until the user signs in.
  public var needsSignIn: Bool {
    switch self {
    case .needsAuthentication, .signInExpired: true
    default: false
    }
  }

  /// Whether the same request may succeed a little later without any change.
  public var isTransient: Bool {
    switch self {
    case .transport(let error): error.isTransient
    case .rateLimited, .serverFailed, .noRoom: true
    case .unexpectedStatus(_, let status): status == 408 || status == 425
    case .needsAuthentication, .signInExpired, .forbidden, .notFound, .rejected, .unreadable, .badRedirect,
      .unsupported, .unsupportedHere, .tooLargeToSend:
      false
    }
  }
}

extension TransportError {
  fileprivate var summary: String {
    switch self {
    case .unknownHost(let host): "Unknown host: \(safe(host))."
    case .refused(let host): "\(safe(host)) cannot be reached."
    case .timedOut(let host): "\(safe(host)) does not respond."
    case .interrupted(let host): "Connection to \(safe(host)) lost."
    case .untrusted(let host, let reason):
      "TLS error at \(safe(host)): \(shortened(SafeText.line(reason)))."
    case .tooLarge(let host): "The response from \(safe(host)) is too large."
    case .malformed(let host): "\(safe(host)) does not speak HTTP."
    case .cancelled: "Request cancelled."
    case .local(let reason), .file(let reason): sentence(from: reason)
    case .socket(let path, let fault): fault.summary(path: safe(path))
    }
  }

  fileprivate var advice: String {
    switch self {
    case .unknownHost: "Check the name and your network connection."
    case .refused: "Check the address, or try again later."
    case .timedOut, .interrupted, .cancelled: "Try again."
    case .untrusted: "Nothing was sent. Check the address and this machine's clock, or tell the server's admin."
    case .tooLarge: "Try again. If this persists, tell the server's admin."
    case .malformed: "Check the address and its port."
    // A reason with several sentences already includes advice.
    case .local(let reason): sentence(from: reason).contains(". ") ? "" : "Try again."
    case .file: "Choose the file again."
    case .socket(_, let fault): fault.advice
    }
  }

  /// Includes unknown hosts, because the name may resolve once the machine is online again.
  fileprivate var isTransient: Bool {
    switch self {
    case .unknownHost, .refused, .timedOut, .interrupted: true
    case .socket(_, let fault): fault.isTransient
    case .untrusted, .tooLarge, .malformed, .cancelled, .local, .file: false
    }
  }
}

func safe(_ host: String) -> String {
  let line = shortened(SafeText.line(host))
  return line.isEmpty ? "The server" : line
}

/// Returns the server's message in parentheses, or an empty string if the message is empty.
func quoting(_ message: String) -> String {
  let line = shortened(SafeText.line(message))
  return line.isEmpty ? "" : " (“\(line)”)"
}

private func sentence(from reason: String) -> String {
  let line = shortened(SafeText.line(reason))
  guard let last = line.last else { return "The built-in server failed." }
  return ".!?…".contains(last) ? line : line + "."
}

private func words(for wait: Duration) -> String {
  let seconds = wait.secondsToWait
  if seconds < 100 { return seconds == 1 ? "a second" : "\(seconds) seconds" }
  let minutes = (seconds + 59) / 60
  return minutes < 100 ? "\(minutes) minutes" : "\((minutes + 59) / 60) hours"
}
