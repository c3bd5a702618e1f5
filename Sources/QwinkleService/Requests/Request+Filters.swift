import HTTPTypes
public import QwinkleModel
import QwinkleWire

extension Request where Answer == [ContentFilter] {
  /// The user's filters. Falls back to the first version of this endpoint if the second is missing.
  public static var filters: Request {
    var request = Request("download of filters", .get, RequestPath.filters, decode: WireDecoder.filters)
    request.fallback = {
      $0.mayBeOfUnknownCall
        ? Request("download of filters", .get, "/api/v1/filters", decode: WireDecoder.filters) : nil
    }
    return request.needing(.filters)
  }
}

extension Request where Answer == ContentFilter {
  /// Creates a filter that expires after `seconds`, or never if `seconds` is nil.
  public static func createFilter(_ filter: ContentFilter, seconds: Int?) -> Request {
    Request(
      "creating a filter", .post, RequestPath.filters, json: WireEncoder.newFilter(filter, seconds: seconds),
      decode: WireDecoder.filter
    ).needing(.filters)
  }

  /// Changes a filter. Keywords without an id are added, and keywords whose ids are in `removed` are removed. If
  /// `seconds` is nil, the expiry is unchanged.
  public static func changeFilter(_ filter: ContentFilter, seconds: Int?, removing removed: [String]) -> Request {
    Request(
      "changing a filter", .put, RequestPath.filter(filter.id),
      json: WireEncoder.newFilter(filter, seconds: seconds, removing: removed), decode: WireDecoder.filter)
  }
}

extension Request where Answer == [FilteredQwink] {
  /// The single qwinks of a filter.
  public static func filteredQwinks(of id: ContentFilter.ID) -> Request {
    Request(
      "download of a filter's posts", .get, "\(RequestPath.filter(id))/statuses", decode: WireDecoder.filteredQwinks
    ).needing(.filters)
  }
}

extension Request where Answer == FilteredQwink {
  /// Adds a single qwink to a filter.
  public static func addToFilter(_ id: ContentFilter.ID, _ qwink: Qwink.ID) -> Request {
    Request(
      "filtering a post", .post, "\(RequestPath.filter(id))/statuses", json: WireEncoder.filteredStatus(qwink),
      decode: WireDecoder.filteredQwink
    ).needing(.filters)
  }
}

extension Request where Answer == Void {
  /// Removes a single qwink from its filter.
  public static func removeFromFilter(_ entry: FilteredQwink) -> Request {
    Request("removing a post from a filter", .delete, RequestPath.entry(entry.id))
  }

  /// Deletes a filter.
  public static func deleteFilter(_ id: ContentFilter.ID) -> Request {
    Request("deleting a filter", .delete, RequestPath.filter(id))
  }
}

extension RequestPath {
  fileprivate static let filters = "/api/v2/filters"

  fileprivate static func entry(_ id: String) -> String { "\(filters)/statuses/\(piece(id))" }

  fileprivate static func filter(_ id: ContentFilter.ID) -> String { "\(filters)/\(piece(id.rawValue))" }
}
