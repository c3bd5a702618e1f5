import QwinkleModel
import QwinkleWire

/// Handling of pages that are too large because one item dwarfs the rest.
extension DownloadService {
  private static let maximumPageRequests = 24

  /// Sends one request. If the response is a page that is too large, retries with a smaller and smaller limit, and
  /// skips an item that is too large by itself. Skipped items count as malformed.
  ///
  /// If a request for few items returns an empty page, retries with the usual limit: GoToSocial may filter out all of
  /// those items, and then omits the link to the next page.
  func callPage<Answer>(
    _ request: Request<Answer>, for exchange: Exchange
  ) async throws(DownloadError) -> Answer {
    guard let paging = request.paging else { return try await call(request, for: exchange) }
    var asked = PageAddress(request.place).limit ?? PageAddress.usualLimit
    var place = request.place
    var limit = asked
    var passedCount = 0
    var requestCount = 0
    while true {
      var smaller = request
      if requestCount > 0 { smaller.place = PageAddress(place).limited(to: limit) }
      exchange.cut = nil
      requestCount += 1
      let failure: DownloadError
      do throws(DownloadError) {
        let answer = try await call(smaller, for: exchange)
        if requestCount == 1, asked < PageAddress.usualLimit, paging.isBlank(answer) {
          asked = PageAddress.usualLimit
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
      // If the server ignores limits, the response may contain complete items before the large one. Return these items
      // first.
      if let whole = try? request.read(cut), let last = paging.lastID(whole) {
        var answer = paging.continued(whole, limit: asked, skipped: passedCount)
        let next = PageAddress(place).below(last, limit: asked)
        paging.change(&answer) { older, _ in older = PageCursor(url: next.url) }
        return answer
      }
      guard let next = PageAddress(place).past(cut, limit: asked), next != place else { throw failure }
      place = next
      passedCount += 1
      limit = asked
    }
  }
}

extension Paging {
  /// Adjusts a page that was fetched with a smaller limit or after skipped items. Its next page asks for `limit` items
  /// again, and `skipped` items count as malformed.
  fileprivate func continued(_ page: Answer, limit: Int, skipped: Int) -> Answer {
    var page = page
    change(&page) { older, damagedCount in
      damagedCount += skipped
      guard let cursor = older, PageAddress(.cursor(cursor)).limit != nil else { return }
      older = PageCursor(url: PageAddress(.cursor(cursor)).limited(to: limit).url)
    }
    return page
  }
}
