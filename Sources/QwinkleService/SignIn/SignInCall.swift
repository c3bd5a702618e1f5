import HTTPTypes
import QwinkleModel
import QwinkleWire

/// One request for signing in or out, and the decoder of its response. Redirects are not followed, because the request
/// contains secrets for one server only.
struct SignInCall<Answer: Sendable>: Sendable {
  /// Maximum size of a response in bytes. Real responses are much shorter.
  private static var mostBytes: Int { 1 << 20 }

  let target: Target
  /// Form fields, sent by POST. Without fields the request is a GET.
  var fields: [(name: String, value: String)] = []
  var token: Secret?
  /// Whether this is an OAuth request. Servers refuse OAuth requests in a separate error format.
  var isOAuth = false
  let read: @Sendable ([UInt8]) throws(WireError) -> Answer

  @concurrent func perform(through transport: any Transport) async throws(SignInError) -> Answer {
    let response: TransportResponse
    do throws(TransportError) {
      response = try await transport.send(request)
    } catch {
      throw .server(.transport(error))
    }
    let mapping = StatusMapping(host: host, isSignedIn: token != nil)
    switch response.head.status.code {
    case 200...299:
      do throws(WireError) {
        return try read(response.body)
      } catch {
        throw .server(.unreadable(host: host, reason: mapping.reason(of: error)))
      }
    case 301, 302, 303, 307, 308: throw elsewhere(response.head.headerFields[.location])
    case 400...403 where isOAuth:
      guard let refusal = WireDecoder.signInRefusal(from: response.body) else { fallthrough }
      throw .refused(host: host, code: refusal.code, message: refusal.message)
    default: throw .server(mapping.failure(of: response, isRead: fields.isEmpty))
    }
  }

  private var host: String { target.origin.authority }

  private var request: TransportRequest {
    var head = HTTPRequest(
      method: fields.isEmpty ? .get : .post, scheme: target.origin.scheme, authority: target.origin.authority,
      path: target.path)
    head.headerFields[.userAgent] = DownloadService.userAgent
    head.headerFields[.accept] = "application/json"
    if !fields.isEmpty { head.headerFields[.contentType] = "application/x-www-form-urlencoded" }
    if let token { head.headerFields[.authorization] = "Bearer \(token.value)" }
    return TransportRequest(
      head: head, body: fields.isEmpty ? [] : WireEncoder.form(fields), mostBytes: Self.mostBytes)
  }

  private func elsewhere(_ location: String?) -> SignInError {
    guard let location, let next = Target(resolving: location, from: target), next.origin != target.origin else {
      return .server(.badRedirect(host: host))
    }
    return .elsewhere(host: host, serverURL: next.origin.url)
  }
}
