import QwinkleModel
import QwinkleWire

/// Where a page is, as a path or a URL with a query.
struct PagePlace {
  /// Items that servers give where nothing is said.
  static let usualLimit = 20

  private let place: RequestPlace

  init(_ place: RequestPlace) {
    self.place = place
  }

  private var url: String { place.url }

  private var path: Substring { url.prefix { $0 != "?" } }

  private var query: [Substring] { url.dropFirst(path.count).dropFirst().split(separator: "&") }

  /// How many items it asks for; nil where it does not say.
  var limit: Int? {
    query.first { $0.hasPrefix("limit=") }.flatMap { Int($0.dropFirst(6)) }.map { max(1, $0) }
  }

  /// The same with another number of items.
  func limited(to limit: Int) -> RequestPlace { with([("limit", "\(limit)")]) }

  /// What is below the item with that id.
  func below(_ id: String, limit: Int) -> RequestPlace {
    with([("limit", "\(limit)"), ("max_id", RequestPath.piece(id))], without: ["since_id"])
  }

  /// What is below the item that `cut` begins with; nil where nobody can say what that is. Lists whose ids are not
  /// those of their items are gone on in by what the server says alone.
  func past(_ cut: TransportResponse, limit: Int) -> RequestPlace? {
    // Upwards the next item is another one.
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
