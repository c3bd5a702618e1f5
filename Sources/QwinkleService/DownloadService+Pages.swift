import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Pages that are too large to be taken whole, as one item of them dwarfs the rest.
extension DownloadService {
  /// As many requests as are made for one page.
  private static let mostPageRequests = 24

  /// One call. Where its answer is a page that is too large, fewer items are asked for each time, and one that is too
  /// large by itself is passed over: it counts as damaged.
  func callPage(_ endpoint: Endpoint, for exchange: Exchange) async throws(DownloadError) -> Download {
    guard endpoint.isPage else { return try await call(endpoint, for: exchange) }
    let asked = PagePlace(endpoint.place).limit ?? PagePlace.usualLimit
    var place = endpoint.place
    var limit = asked
    var passedCount = 0
    var requestCount = 0
    while true {
      var smaller = endpoint
      if requestCount > 0 { smaller.place = PagePlace(place).limited(to: limit) }
      exchange.cut = nil
      requestCount += 1
      let failure: DownloadError
      do throws(DownloadError) {
        let download = try await call(smaller, for: exchange)
        return requestCount == 1 ? download : download.goingOn(asking: asked, without: passedCount)
      } catch {
        failure = error
      }
      guard case .transport(.tooLarge) = failure, requestCount < Self.mostPageRequests else { throw failure }
      if limit > 1 {
        limit /= 2
        continue
      }
      guard let cut = exchange.cut else { throw failure }
      // A server that does not honour limits gives what stands before the large item too.
      if let whole = try? endpoint.read(cut), let last = whole.lastID {
        let way = PagePlace(place).below(last, limit: asked)
        return whole.goingOn(asking: asked, without: passedCount).leading(to: way)
      }
      guard let next = PagePlace(place).past(cut, limit: asked), next != place else { throw failure }
      place = next
      passedCount += 1
      limit = asked
    }
  }
}

/// Where a page is, as a path or a URL with a query.
struct PagePlace {
  /// Items that servers give where nothing is said.
  static let usualLimit = 20

  private let place: Endpoint.Place
  private let url: String

  init(_ place: Endpoint.Place) {
    self.place = place
    switch place {
    case .path(let path): url = path
    case .cursor(let cursor): url = cursor.url
    }
  }

  private var path: Substring { url.prefix { $0 != "?" } }

  private var query: [Substring] { url.dropFirst(path.count).dropFirst().split(separator: "&") }

  /// How many items it asks for; nil where it does not say.
  var limit: Int? {
    query.first { $0.hasPrefix("limit=") }.flatMap { Int($0.dropFirst(6)) }.map { max(1, $0) }
  }

  /// The same with another number of items.
  func limited(to limit: Int) -> Endpoint.Place { with([("limit", "\(limit)")]) }

  /// What is below the item with that id.
  func below(_ id: String, limit: Int) -> Endpoint.Place {
    with([("limit", "\(limit)"), ("max_id", Endpoint.escaped(id))], without: ["since_id"])
  }

  /// What is below the item that `cut` begins with; nil where nobody can say what that is. Lists whose ids are not
  /// those of their items are gone on in by what the server says alone.
  func past(_ cut: TransportResponse, limit: Int) -> Endpoint.Place? {
    // Upwards the next item is another one.
    if query.contains(where: { $0.hasPrefix("min_id=") }) { return nil }
    if isOrderedByID, let id = WireDecoder.firstID(of: cut.body) { return below(id, limit: limit) }
    let link = HTTPField.Name("Link").flatMap { cut.head.headerFields[$0] }
    guard let next = link.map({ LinkHeader(parsing: $0) })?.next else { return nil }
    return PagePlace(.cursor(PageCursor(url: next))).limited(to: limit)
  }

  private var isOrderedByID: Bool {
    !["/bookmarks", "/favourites", "/conversations"].contains { path.hasSuffix($0) }
  }

  private func with(_ values: [(name: String, value: String)], without removed: [String] = []) -> Endpoint.Place {
    let names = values.map(\.name) + removed
    let rest = query.filter { part in !names.contains { part.hasPrefix("\($0)=") } }.map(String.init)
    let changed = path + "?" + (rest + values.map { "\($0.name)=\($0.value)" }).joined(separator: "&")
    return switch place {
    case .path: .path(String(changed))
    case .cursor: .cursor(PageCursor(url: String(changed)))
    }
  }
}

extension Download {
  /// The id of the last item of a page whose items are asked for by it; nil where there is none.
  fileprivate var lastID: String? {
    switch self {
    case .qwinks(let page): page.items.last?.id.rawValue
    case .notifications(let page): page.items.last?.id.rawValue
    default: nil
    }
  }

  /// A page for which fewer items were asked for: the next one asks for as many as before.
  fileprivate func goingOn(asking limit: Int, without passedCount: Int) -> Download {
    changingPage { older, damagedCount in
      damagedCount += passedCount
      guard let cursor = older, PagePlace(.cursor(cursor)).limit != nil else { return }
      older = PagePlace(.cursor(cursor)).limited(to: limit).cursor
    }
  }

  /// A page with another way on.
  fileprivate func leading(to place: Endpoint.Place) -> Download {
    changingPage { older, _ in older = place.cursor }
  }

  private func changingPage(_ change: (inout PageCursor?, inout Int) -> Void) -> Download {
    func changed<Item>(_ page: Page<Item>) -> Page<Item> {
      var page = page
      change(&page.older, &page.damagedCount)
      return page
    }
    return switch self {
    case .qwinks(let page): .qwinks(changed(page))
    case .notifications(let page): .notifications(changed(page))
    case .conversations(let page): .conversations(changed(page))
    case .qwinkers(let page): .qwinkers(changed(page))
    default: self
    }
  }
}

extension Endpoint.Place {
  fileprivate var cursor: PageCursor {
    switch self {
    case .path(let path): PageCursor(url: path)
    case .cursor(let cursor): cursor
    }
  }
}
