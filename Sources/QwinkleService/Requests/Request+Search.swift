import HTTPTypes
public import QwinkleModel
import QwinkleWire

extension Request where Answer == SearchResults {
  /// Qwinkers, qwinks and tags: up to `limit` of each. If the user is signed in, the server looks up a URL or a handle
  /// on other servers. Servers without the second version of this call are asked for the first.
  public static func search(_ words: String, limit: Int) -> Request {
    var request = version(2, words, limit: limit)
    request.fallback = { $0.mayBeOfUnknownCall ? version(1, words, limit: limit) : nil }
    return request
  }

  private static func version(_ version: Int, _ words: String, limit: Int) -> Request {
    let start = "/api/v\(version)/search?q=\(RequestPath.piece(words))"
    var request = Request("searching", .get, "\(start)&limit=\(limit)", decode: WireDecoder.searchResults)
    request.signedInPlace = .path("\(start)&resolve=true&limit=\(limit)")
    return request
  }
}
