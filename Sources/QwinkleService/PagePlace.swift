import QwinkleModel
import QwinkleWire

/// The place of a page: a path or a URL, with a query.
struct PagePlace {
  /// How many items servers give if no limit is sent.
  static let usualLimit = 20

  private let place: RequestPlace

  init(_ place: RequestPlace) {
    self.place = place
  }

  private var url: String { place.url }

  private var path: Substring { url.prefix { $0 != "?" } }

  private var query: [Substring] { url.dropFirst(path.count).dropFirst().split(separator: "&") }

  /// How many items it asks for; nil if it doesn't say.
  var limit: Int? {
    query.first { $0.hasPrefix("limit=") }.flatMap { Int($0.dropFirst(6)) }.map { max(1, $0) }
  }

  /// The same place with another limit.
  func limited(to limit: Int) -> RequestPlace { with([("limit", "\(limit)")]) }

  /// The items below the one with this id.
  func below(_ id: String, limit: Int) -> RequestPlace {
    with([("limit", "\(limit)"), ("max_id", RequestPath.piece(id))], without: ["since_id"])
  }

  /// The items below the one that `cut` begins with; nil if their place is unknown. In lists that are not ordered by
  /// the ids of their items, only the server's Link header knows it.
  func past(_ cut: TransportResponse, limit: Int) -> RequestPlace? {
    // A page that leads upwards doesn't go on below.
    if query.contains(where: { $0.hasPrefix("min_id=") }) { return nil }
    if isOrderedByID, let id = WireDecoder.firstID(of: cut.body) { return below(id, limit: limit) }
    guard let next = cut.link.map({ LinkHeader(parsing: $0) })?.next else { return nil }
    return PagePlace(.cursor(PageCursor(url: next))).limited(to: limit)
  }

  private var isOrderedByID: Bool {
    !["/bookmarks", "/favourites", "/conversations"].contains { path.hasSuffix($0) }
  }

  private func with(_ values: [(name: String, value: String)], without removed: [String] = []) -> RequestPlace {
    let names = values.map(\.name) + removed
    let rest = query.filter { part in !names.contains { part.hasPrefix("\($0)=") } }.map(String.init)
    let changed = path + "?" + (rest + values.map { "\($0.name)=\($0.value)" }).joined(separator: "&")
    return switch place {
    case .path: .path(String(changed))
    case .cursor: .cursor(PageCursor(url: String(changed)))
    }
  }
}
