import QwinkleModel
import QwinkleWire

/// Identifies equal requests by method, path, query and body. The order of query and body fields doesn't matter.
struct RequestKey: Hashable, Sendable {
  let method: String
  let path: String
  /// Decoded query fields as `name=value`, sorted.
  let query: [String]
  /// Body fields as `name=value`, sorted. A body without fields is a single string.
  let fields: [String]

  /// Creates the key of `request`, which must already be scrubbed.
  init(_ request: Cassette.Request) {
    let address = RequestAddress(request.url)
    method = request.method.uppercased()
    path = address.path.isEmpty ? "/" : address.path
    query = address.queryFields.map { "\($0.name)=\($0.value)" }.sorted()
    fields = request.body.map(Self.fields)?.sorted() ?? []
  }

  /// Whether the request only reads data, so that repeating it has no effect.
  var isRead: Bool { method == "GET" || method == "HEAD" }

  /// Method, path and query for messages, truncated.
  var words: String {
    let words = "\(method) \(path)\(query.isEmpty ? "" : "?")\(query.joined(separator: "&"))"
    return words.count > Self.mostCharacters ? words.prefix(Self.mostCharacters - 1) + "…" : words
  }

  /// Returns the distance to another key, or 0 if they are equal. A difference in the query outweighs all differences
  /// in the body. A difference in the path or method outweighs all differences in the query.
  func distance(to other: RequestKey) -> Int {
    let ofFields = min(Self.differences(fields, other.fields), 99)
    let ofQuery = min(Self.differences(query, other.query), 99)
    let ofPath = Self.edits(from: path, to: other.path)
    return ofFields + 100 * ofQuery + 10_000 * (ofPath + (method == other.method ? 0 : 3))
  }

  /// Returns the names of fields that differ, sorted.
  func differingFields(from other: RequestKey) -> [String] {
    Set(Set(fields).symmetricDifference(other.fields).map { String($0.prefix { $0 != "=" }.prefix(30)) }).sorted()
  }

  private static let mostCharacters = 72
  /// Number of characters at the start of a path that are compared.
  private static let mostCompared = 200

  private static func fields(of body: Cassette.Body) -> [String] {
    if FormParts.isUsed(for: body.mimeType), let form = try? FormParts(body.bytes, contentType: body.mimeType) {
      return form.parts.map { "\($0.name)=\($0.fileName ?? "")\($0.text)" }
    }
    if JSONRewriter.looksLikeJSON(body.bytes) {
      var fields: [String] = []
      _ = JSONRewriter.rewritten(body.bytes, rename: { _, _ in nil }) { path, value, _ in
        fields.append("\(path.joined(separator: "."))=\(value)")
        return nil
      }
      return fields
    }
    if body.mimeType.lowercased().hasPrefix("application/x-www-form-urlencoded") {
      return RequestParameters.pairs(of: body.bytes, most: .max).map { "\($0.name)=\($0.value)" }
    }
    return body.bytes.isEmpty ? [] : [String(decoding: body.bytes, as: UTF8.self)]
  }

  private static func differences(_ one: [String], _ other: [String]) -> Int {
    let change = other.difference(from: one)
    return max(change.insertions.count, change.removals.count)
  }

  private static func edits(from one: String, to other: String) -> Int {
    NearestWord.slips(from: String(one.prefix(mostCompared)), to: String(other.prefix(mostCompared)))
  }
}
