import QwinkleModel
import QwinkleWire

/// The requested part of a list.
struct PageRequest {
  /// Ids strictly between `after` and `before`.
  struct Range {
    var before: Int64?
    var after: Int64?
    /// Whether to return the items directly after `after` instead of the newest.
    var isAscending = false
  }

  var range = Range()
  var limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  /// Parses `max_id`, `since_id`, `min_id` and `limit`, which is clamped.
  ///
  /// - Parameters:
  ///   - usual: The default limit.
  ///   - most: The largest limit.
  init(_ request: ServiceRequest, usual: Int = 20, most: Int = 40) throws(Refusal) {
    limit = usual
    range.before = try Self.id("max_id", in: request)
    range.after = try Self.id("since_id", in: request)
    if let minimum = try Self.id("min_id", in: request) {
      range.after = max(minimum, range.after ?? minimum)
      range.isAscending = true
    }
    if let limit = request["limit"].flatMap(Int.init), limit > 0 { self.limit = min(limit, most) }
  }

  private static func id(_ name: String, in request: ServiceRequest) throws(Refusal) -> Int64? {
    guard let value = request[name], !value.isEmpty else { return nil }
    guard let id = Int64(value), id >= 0 else { throw .invalid("\(name) is not a valid ID.") }
    return id
  }
}

/// The first and last id of a page, for its Link header.
struct PageLinks {
  var newest: Int64?
  /// Nil if there are no older items.
  var oldest: Int64?

  /// Returns links with absolute URLs, with the request's other parameters.
  func header(for request: ServiceRequest) -> LinkHeader {
    // Of equal pairs, the last one is preserved, because the last value of a name wins if only one is read.
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
