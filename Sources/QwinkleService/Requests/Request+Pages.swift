import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Accessors to the answer of a request for a page. ``DownloadService`` uses them when it fetches the page in several
/// requests.
struct Paging<Answer: Sendable>: Sendable {
  /// Returns the id of the last item, if the list is ordered by item id.
  var lastID: @Sendable (Answer) -> String?
  /// Whether a page is empty and has no next page, although the list may continue.
  var isBlank: @Sendable (Answer) -> Bool
  /// Changes the cursor of the next page and the number of malformed items.
  var change: @Sendable (inout Answer, (inout PageCursor?, inout Int) -> Void) -> Void
}

extension Request {
  /// Decodes a page from a response's body and Link header.
  typealias PageDecoder<Item: Sendable> = @Sendable ([UInt8], String?) throws(WireError) -> Page<Item>

  /// A page of a list. Pass `id`, which returns an item's id, if the list is ordered by item id. If a full page then
  /// has no Link header, as from snac, its next page starts after its last item. Items for which `isListed` is false
  /// are omitted.
  static func page<Item>(
    _ name: String, at place: RequestPlace, decode: @escaping PageDecoder<Item>,
    id: (@Sendable (Item) -> String)? = nil, isListed: (@Sendable (Item) -> Bool)? = nil
  ) -> Request where Answer == Page<Item> {
    var request = Request(name, at: place) { (response) throws(WireError) in
      var page = try decode(response.body, response.link)
      if page.items.isEmpty, page.damagedCount > 0 { throw .unexpected("none of its items is readable") }
      page.isPartial = response.head.status == .partialContent
      if let id, page.older == nil, response.link == nil, let last = page.items.last,
        page.items.count + page.damagedCount >= Page<Item>.fewestInFull
      {
        page.older = PageCursor.olderThan(id(last), at: place.url)
      }
      if let isListed, !page.items.allSatisfy(isListed) { page = page.filtered(isListed) }
      return page
    }
    let isOrderedByID = id != nil
    request.paging = Paging(
      lastID: { page in id.flatMap { page.items.last.map($0) } },
      isBlank: { isOrderedByID && $0.items.isEmpty && $0.damagedCount == 0 && $0.older == nil },
      change: { page, change in change(&page.older, &page.damagedCount) })
    return request
  }
}

extension TransportResponse {
  /// The Link header (RFC 8288).
  var link: String? { HTTPField.Name("Link").flatMap { head.headerFields[$0] } }
}
