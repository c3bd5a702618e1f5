import HTTPTypes
public import QwinkleModel
import QwinkleWire

/// Kinds of search results. The raw values are the API's names.
public enum SearchKind: String, Hashable, Sendable, CaseIterable {
  case qwinkers = "accounts"
  case tags = "hashtags"
  case qwinks = "statuses"
}

extension Request where Answer == SearchResults {
  /// Searches for qwinkers, qwinks and tags, with up to `limit` results of each kind. If the user is signed in, the
  /// server also resolves a URL or handle that belongs to another server. Falls back to the first version of this
  /// endpoint if the second is missing.
  public static func search(_ words: String, limit: Int) -> Request { search(words, "&limit=\(limit)") }

  /// More results of one kind, after the first `offset` results. Servers require the user to be signed in for further
  /// results.
  public static func search(_ words: String, limit: Int, _ kind: SearchKind, offset: Int) -> Request {
    search(words, "&type=\(kind.rawValue)&limit=\(limit)&offset=\(offset)")
  }

  private static func search(_ words: String, _ options: String) -> Request {
    var request = version(2, words, options)
    request.fallback = { $0.mayBeOfUnknownCall ? version(1, words, options) : nil }
    return request
  }

  private static func version(_ version: Int, _ words: String, _ options: String) -> Request {
    let start = "/api/v\(version)/search?q=\(RequestPath.piece(words))"
    var request = Request("searching", .get, start + options, decode: WireDecoder.searchResults)
    request.signedInPlace = .path("\(start)&resolve=true\(options)")
    return request
  }
}
