public import QwinkleModel
import QwinkleWire

/// An answer with the JSON from which it was decoded.
public struct Sourced<Answer: Sendable>: Sendable {
  public let answer: Answer
  /// The JSON (UTF-8) as the server sent it.
  public let json: [UInt8]
}

extension Sourced<SearchResults> {
  /// The first qwink found.
  public var firstQwink: Sourced<Qwink>? {
    guard let qwink = answer.qwinks.first else { return nil }
    let source = try? WireDecoder.searchSources(from: json).qwinks.first
    return source.map { Sourced<Qwink>(answer: qwink, json: $0) }
  }
}

extension Request {
  /// The same request, with the server's JSON in its answer. Don't use it for pages, because they already contain their
  /// JSON.
  public var sourced: Request<Sourced<Answer>> {
    let (read, fallback, withoutTokenHosts) = (self.read, self.fallback, self.withoutTokenHosts)
    var request = Request<Sourced<Answer>>(name, method, at: place) { (response) throws(WireError) in
      Sourced(answer: try read(response), json: response.body)
    }
    request.signedInPlace = signedInPlace
    request.fields = fields
    request.body = body
    request.file = file
    request.fallback = { fallback($0)?.sourced }
    request.ability = ability
    request.timeout = timeout
    request.tellsSending = tellsSending
    request.withoutTokenHosts = { Sourced(answer: withoutTokenHosts($0.answer), json: $0.json) }
    return request.unshared
  }
}
