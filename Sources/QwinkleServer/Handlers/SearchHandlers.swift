import HTTPTypes
import QwinkleModel
import QwinkleWire
import SafeText

/// Searches for qwinks, qwinkers and tags, and resolves this server's URLs.
enum SearchHandlers {
  static let routes = [Route(.get, "/api/v2/search", .optional, search)]

  private enum Kind: String, CaseIterable {
    case accounts, hashtags, statuses
  }

  /// Performs a search. Signed-out users find only public content. As on other servers, they can't use the parameter
  /// `resolve` or request further pages.
  private static func search(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let query = SafeText.line(request["q"] ?? "")
    guard !isBlank(query) else { throw Refusal.invalid("q is missing.") }
    let portion = Portion(request)
    if transaction.viewer == nil, request.flag("resolve") || portion.offset > 0 {
      throw Refusal.unauthorized("Sign in first: resolve and offset need an account.")
    }
    let kinds = try kinds(in: request)
    var results = SearchResults()
    if let address = LocalAddress(query, at: request.origin) {
      results = try here(address, transaction)
    } else {
      if kinds.contains(.accounts) {
        let follower = request.flag("following") ? try transaction.me() : nil
        results.qwinkers = try transaction.qwinkers(
          inOrder: transaction.accounts(found: query, portion, followedBy: follower))
      }
      if kinds.contains(.statuses) {
        let range = try PageRequest(request).range
        results.qwinks = try transaction.qwinks(
          transaction.statuses(found: query, portion, in: range, by: request.queryID("account_id")))
      }
      if kinds.contains(.hashtags) { results.tags = try transaction.tags(found: query, portion) }
    }
    if !kinds.contains(.accounts) { results.qwinkers = [] }
    if !kinds.contains(.statuses) { results.qwinks = [] }
    return ServiceResponse({ WireEncoder.searchResults($0, base: request.origin.url("/")) }, results)
  }

  private static func kinds(in request: ServiceRequest) throws(Refusal) -> Set<Kind> {
    guard let name = request["type"], !name.isEmpty else { return Set(Kind.allCases) }
    guard let kind = Kind(rawValue: name) else { throw .invalid("type must be accounts, hashtags or statuses.") }
    return [kind]
  }

  private static func here(_ address: LocalAddress, _ transaction: Transaction) throws -> SearchResults {
    switch address {
    case .qwinker(let name):
      guard let id = try transaction.accountID(named: name) else { return SearchResults() }
      return SearchResults(qwinkers: try transaction.qwinkers(inOrder: [id]))
    case .qwink(let author, let id):
      return SearchResults(qwinks: try transaction.qwinks([id]).filter { $0.author.userName == author })
    }
  }
}

/// A URL of a qwinker or qwink on this server.
enum LocalAddress: Equatable {
  case qwinker(name: String)
  case qwink(author: String, id: Int64)

  /// Returns nil if the text isn't the URL of a page on this server: `/@name` or `/@name/id`.
  init?(_ text: String, at origin: BaseURL) {
    for scheme in ["https://", "http://"] where text.lowercased().hasPrefix(scheme) {
      let path = text.dropFirst(scheme.count).prefix { $0 != "?" && $0 != "#" }
        .split(separator: "/", maxSplits: 3)
      guard path.count >= 2, path[0].lowercased() == origin.authority.lowercased(), path[1].first == "@" else {
        return nil
      }
      let name = path[1].dropFirst().lowercased()
      if path.count == 2 {
        self = .qwinker(name: name)
        return
      }
      guard path.count == 3, let id = Int64(path[2]) else { return nil }
      self = .qwink(author: name, id: id)
      return
    }
    return nil
  }
}
