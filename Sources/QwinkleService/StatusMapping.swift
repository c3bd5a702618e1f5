import HTTPTypes
import QwinkleWire
import SafeText

/// The result of one request and its answer.
enum Outcome<Answer: Sendable>: Sendable {
  case answer(Answer)
  /// The server redirects; nil if it doesn't say where.
  case redirect(String?)
  /// The answer is too large: this is its beginning.
  case cut(TransportResponse)
  case failure(DownloadError)
}

/// Maps responses to their meaning.
struct StatusMapping: Sendable {
  /// The server's name, as shown to people.
  let host: String
  /// Whether the request carried a token.
  let isSignedIn: Bool
  /// The address to sign in at again if the token is no longer valid; nil while signing in.
  var server: String?

  /// What `response` to `request` means.
  func outcome<Answer>(of response: TransportResponse, to request: Request<Answer>) -> Outcome<Answer> {
    switch response.head.status.code {
    case 200...299 where response.isCut: return .cut(response)
    case 200...299:
      do throws(WireError) {
        return .answer(try request.read(response))
      } catch {
        return .failure(.unreadable(host: host, reason: reason(of: error)))
      }
    case 301, 302, 303, 307, 308: return .redirect(response.head.headerFields[.location])
    default:
      let error = failure(of: response, isRead: !request.isWrite)
      // Without a reason, the server may not know the call, or not be a service at all.
      if case .notFound(_, let message) = error, !message.isEmpty, let answer = request.answerIfMissing {
        return .answer(answer)
      }
      return .failure(error)
    }
  }

  /// The error for `response`, whose status is neither success nor redirect.
  func failure(of response: TransportResponse, isRead: Bool) -> DownloadError {
    let status = response.head.status.code
    let message = shortened(WireDecoder.errorMessage(from: response.body) ?? "")
    switch status {
    case 401:
      if isSignedIn, let server { return .signInExpired(host: host, server: server) }
      return .needsAuthentication(host: host, message: message)
    case 403:
      return isSignedIn ? .forbidden(host: host, message: message) : .needsAuthentication(host: host, message: message)
    // Older versions of Mastodon say "This method requires an authenticated user" with this status.
    case 422 where isRead && !isSignedIn && message.contains("authenticated"):
      return .needsAuthentication(host: host, message: message)
    case 400, 422: return .rejected(host: host, message: message)
    case 404, 410: return .notFound(host: host, message: message)
    case 413 where !isRead: return .tooLargeToSend(host: host)
    case 507: return .noRoom(host: host, message: message)
    case 429: return .rateLimited(host: host, retryAfter: RetryAfter.wait(in: response.head.headerFields))
    case 500...599: return .serverFailed(host: host, status: status)
    default: return .unexpectedStatus(host: host, status: status)
    }
  }

  /// What is wrong with an answer, in a few words.
  func reason(of error: WireError) -> String {
    switch error {
    case .empty: "it is empty"
    case .notJSON(let looksLikeHTML): looksLikeHTML ? "it is a web page" : "it is not JSON"
    case .truncated: "it is cut off"
    case .unexpected(let what): shortened(SafeText.line(what))
    }
  }
}

/// `text`, which has gone through SafeText, cut to 200 characters.
func shortened(_ text: String) -> String {
  text.count > 200 ? text.prefix(199) + "…" : text
}
