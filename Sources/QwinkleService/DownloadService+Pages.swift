import QwinkleModel
import QwinkleWire

/// Pages that are too large because one item dwarfs the rest.
extension DownloadService {
  /// Maximum number of requests for one page.
  private static let maximumPageRequests = 24

  /// Sends one request. If its answer is a page that is too large, it asks for fewer items each time, and skips an item
  /// that is too large by itself, which counts as damaged. If the answer to a request for few items is empty, it asks
  /// for more: a server that leaves out those few (GoToSocial) doesn't say that the list goes on.
  func callPage<Answer>(
    _ request: Request<Answer>, for exchange: Exchange
  ) async throws(DownloadError) -> Answer {
    guard let paging = request.paging else { return try await call(request, for: exchange) }
    var asked = PagePlace(request.place).limit ?? PagePlace.usualLimit
    var place = request.place
    var limit = asked
    var passedCount = 0
    var requestCount = 0
    while true {
      var smaller = request
      if requestCount > 0 { smaller.place = PagePlace(place).limited(to: limit) }
      exchange.cut = nil
      requestCount += 1
      let failure: DownloadError
      do throws(DownloadError) {
        let answer = try await call(smaller, for: exchange)
        if requestCount == 1, asked < PagePlace.usualLimit, paging.isBlank(answer) {
          asked = PagePlace.usualLimit
          limit = asked
          continue
        }
        return requestCount == 1 ? answer : paging.continued(answer, limit: asked, skipped: passedCount)
      } catch {
        failure = error
      }
      guard case .transport(.tooLarge) = failure, requestCount < Self.maximumPageRequests else { throw failure }
      if limit > 1 {
        limit /= 2
        continue
      }
      guard let cut = exchange.cut else { throw failure }
      // A server that ignores limits also sends the items before the large one.
      if let whole = try? request.read(cut), let last = paging.lastID(whole) {
        var answer = paging.continued(whole, limit: asked, skipped: passedCount)
        let next = PagePlace(place).below(last, limit: asked)
        paging.change(&answer) { older, _ in older = PageCursor(url: next.url) }
        return answer
      }
      guard let next = PagePlace(place).past(cut, limit: asked), next != place else { throw failure }
      place = next
      passedCount += 1
      limit = asked
    }
  }
}

extension Paging {
  /// A page that was fetched with fewer items: the next one asks for `limit` items again, and `skipped` items count as
  /// damaged.
  fileprivate func continued(_ page: Answer, limit: Int, skipped: Int) -> Answer {
    var page = page
    change(&page) { older, damagedCount in
      damagedCount += skipped
      guard let cursor = older, PagePlace(.cursor(cursor)).limit != nil else { return }
      older = PageCursor(url: PagePlace(.cursor(cursor)).limited(to: limit).url)
    }
    return page
  }
}
