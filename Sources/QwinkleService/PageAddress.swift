import QwinkleModel
import QwinkleWire

/// The address of a page: a path or a URL, with a query.
struct PageAddress {
  /// Number of items that servers return if the request names no limit.
  static let usualLimit = 20

  private let place: RequestPlace

  init(_ place: RequestPlace) {
    self.place = place
  }

  private var url: String { place.url }

  private var path: Substring { url.prefix { $0 != "?" } }

  private var query: [Substring] { url.dropFirst(path.count).dropFirst().split(separator: "&") }

  var limit: Int? {
    query.first { $0.hasPrefix("limit=") }.flatMap { Int($0.dropFirst(6)) }.map { max(1, $0) }
  }

  func limited(to limit: Int) -> RequestPlace { with([("limit", "\(limit)")]) }

  func below(_ id: String, limit: Int) -> RequestPlace {
    with([("limit", "\(limit)"), ("max_id", RequestPath.piece(id))], without: ["since_id"])
  }

  /// Returns the address of the page after the first item in `cut`, the beginning of a page that was too large. Returns
  /// nil if the address can't be determined. In lists that aren't ordered by item id, only the server's Link header
  /// contains the address.
  func past(_ cut: TransportResponse, limit: Int) -> RequestPlace? {
    // A request with `min_id` asks for newer items, so items below the first one don't belong to the page.
    if query.contains(where: { $0.hasPrefix("min_id=") }) { return nil }
    if isOrderedByID, let id = WireDecoder.firstID(of: cut.body) { return below(id, limit: limit) }
    guard let next = cut.link.map({ LinkHeader(parsing: $0) })?.next else { return nil }
    return PageAddress(.cursor(PageCursor(url: next))).limited(to: limit)
  }

  private var isOrderedByID: Bool {
    !["/bookmarks", "/favourites", "/conversations"].contains { path.hasSuffix($0) }
  }

  private func with(_ values: [(name: String, value: String)], without removed: [String] = []) -> RequestPlace {
    let changed = RequestPath.setting(values, removing: removed, in: url)
    return switch place {
    case .path: .path(changed)
    case .cursor: .cursor(PageCursor(url: changed))
    }
  }
}
