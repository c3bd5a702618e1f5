public import QwinkleModel

/// <https://docs.joinmastodon.org/entities/AsyncRefresh/>
enum AsyncRefreshEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> AsyncRefresh {
    let fields = try fields.required(fields.object("async_refresh"), "async_refresh")
    // The documentation names two states. A state that isn't known must not be polled forever.
    return AsyncRefresh(
      id: try fields.requiredIdentifier("id"), isRunning: fields.text("status") == "running",
      resultCount: fields.int("result_count").map { max(0, $0) })
  }
}

extension AsyncRefresh {
  /// The header's name.
  public static let headerName = "Mastodon-Async-Refresh"

  /// Parses the header of an answer, such as `id="abc", retry=3, result_count=2`. Returns nil without an id.
  /// <https://docs.joinmastodon.org/methods/async_refreshes/>
  public init?(header: String) {
    var rest = header[...]
    var values: [String: String] = [:]
    while !rest.isEmpty {
      rest = rest.drop { $0 == "," || $0 == " " || $0 == "\t" }
      guard let parameter = HeaderParameters.next(in: &rest, before: ",") else { break }
      if let value = parameter.value { values[parameter.name] = values[parameter.name] ?? value }
    }
    guard let id = values["id"], !id.isEmpty else { return nil }
    self.init(
      id: id, resultCount: values["result_count"].flatMap { Int($0) }.map { max(0, $0) },
      retrySeconds: values["retry"].flatMap { Int($0) }.map { max(0, $0) })
  }
}
