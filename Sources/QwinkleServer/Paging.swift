import QwinkleModel
import QwinkleWire

/// The part of a list that a client requests.
struct PageRequest {
  /// A range of cursors (see ``ListKey``), strictly between `after` and `before`.
  struct Range {
    var before: Int64?
    var after: Int64?
    /// Whether a page consists of the oldest items of the range instead of the newest.
    var isAscending = false
  }

  var range = Range()
  var limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  /// Parses `max_id`, `since_id`, `min_id` and `limit`.
  ///
  /// - Parameters:
  ///   - usual: The default limit.
  ///   - most: The largest limit. A larger `limit` in the request is reduced to this value.
  init(_ request: ServiceRequest, usual: Int = 20, most: Int = 40) throws(Refusal) {
    limit = usual
    range.before = try request.queryID("max_id")
    range.after = try request.queryID("since_id")
    if let minimum = try request.queryID("min_id") {
      range.after = max(minimum, range.after ?? minimum)
      range.isAscending = true
    }
    if let limit = request["limit"].flatMap(Int.init), limit > 0 { self.limit = min(limit, most) }
  }
}

/// The cursors (see ``ListKey``) of a page's newest and oldest items, for its Link header.
struct PageLinks {
  /// Nil if the page is empty.
  var newest: Int64?
  /// Nil if the list has no items older than the page's.
  var oldest: Int64?

  /// Returns a Link header with absolute URLs of the next and previous pages. The URLs repeat the request's parameters,
  /// except the ids that select a page.
  func header(for request: ServiceRequest) -> LinkHeader {
    // Remove repeated pairs, but preserve the last one: if a parameter has several values and only one is read, the
    // last value wins.
    let others = request.query.filter { !["max_id", "since_id", "min_id"].contains($0.name) }
    let remaining = Array(others.reversed().uniqued().reversed())
    func target(_ name: String, _ id: Int64) -> String {
      let items = remaining + [RequestParameters.Pair(name: name, value: String(id))]
      let query = items.map { "\(PercentEncoding.component($0.name))=\(PercentEncoding.component($0.value))" }.joined(
        separator: "&")
      return request.origin.url("\(request.path)?\(query)")
    }
    return LinkHeader(next: oldest.map { target("max_id", $0) }, previous: newest.map { target("min_id", $0) })
  }
}
