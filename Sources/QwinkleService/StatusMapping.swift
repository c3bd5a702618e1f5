import HTTPTypes
import QwinkleWire
import SafeText

/// Result of one request: the decoded response, a redirect or an error.
enum Outcome<Answer: Sendable>: Sendable {
  case answer(Answer)
  /// A redirect, with its target if the server names one.
  case redirect(String?)
  /// The response is too large. The value contains only its beginning.
  case cut(TransportResponse)
  case failure(DownloadError)
}

struct StatusMapping: Sendable {
  /// The server's name, as shown to the user.
  let host: String
  let isSignedIn: Bool
  /// The server's URL, so that the error can suggest signing in again after the token has become invalid. Nil during a
  /// sign-in.
  var server: String?
  /// Whether the server identifies the user by a Unix socket, so that there is nothing to sign in with.
  var isOnSocket = false

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
      // A 404 without a message may mean that the endpoint is missing, or that the server isn't Mastodon-compatible.
      // Only a 404 with a message means that the requested item doesn't exist.
      if case .notFound(_, let message) = error, !message.isEmpty, let answer = request.answerIfMissing {
        return .answer(answer)
      }
      return .failure(error)
    }
  }

  /// Returns the error for `response`, which must be neither a success nor a redirect.
  func failure(of response: TransportResponse, isRead: Bool) -> DownloadError {
    let status = response.head.status.code
    let message = shortened(WireDecoder.errorMessage(from: response.body) ?? "")
    switch status {
    case 401 where isOnSocket: return .forbidden(host: host, message: message)
    case 401:
      if isSignedIn, let server { return .signInExpired(host: host, server: server) }
      return .needsAuthentication(host: host, message: message)
    case 403:
      return isSignedIn ? .forbidden(host: host, message: message) : .needsAuthentication(host: host, message: message)
    // Older versions of Mastodon send 422 with "This method requires an authenticated user" instead of 401.
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

  func reason(of error: WireError) -> String {
    switch error {
    case .empty: "it is empty"
    case .notJSON(let looksLikeHTML): looksLikeHTML ? "it is a web page" : "it is not JSON"
    case .truncated: "it is cut off"
    case .unexpected(let what): shortened(SafeText.line(what))
    }
  }
}

/// Shortens `text` to 200 characters. The caller must have sanitized `text` already.
func shortened(_ text: String) -> String {
  text.count > 200 ? text.prefix(199) + "…" : text
}
