import QwinkleWire

/// What makes two requests the same: method, path, query and body, the last two whatever their order.
struct RequestKey: Hashable, Sendable {
  let method: String
  let path: String
  /// Decoded, as `name=value`, sorted.
  let query: [String]
  /// The fields of a body, as `name=value`, sorted; of a body without fields, all of it.
  let fields: [String]

  /// The key of a request that has been scrubbed.
  init(_ request: Cassette.Request) {
    let address = RequestAddress(request.url)
    method = request.method.uppercased()
    path = address.path.isEmpty ? "/" : address.path
    query = address.queryFields.map { "\($0.name)=\($0.value)" }.sorted()
    fields = request.body.map(Self.fields)?.sorted() ?? []
  }

  /// Whether asking twice gives the same.
  var isRead: Bool { method == "GET" || method == "HEAD" }

  /// How a person reads it: method, path and query, not too long.
  var words: String {
    let words = "\(method) \(path)\(query.isEmpty ? "" : "?")\(query.joined(separator: "&"))"
    return words.count > Self.mostCharacters ? words.prefix(Self.mostCharacters - 1) + "…" : words
  }

  /// How far another is from it: 0 where they are equal. One that differs in its body alone is nearer than one with
  /// another query, and that nearer than one with another path or method.
  func distance(to other: RequestKey) -> Int {
    let ofFields = min(Self.differences(fields, other.fields), 99)
    let ofQuery = min(Self.differences(query, other.query), 99)
    let ofPath = Self.edits(from: path, to: other.path)
    return ofFields + 100 * ofQuery + 10_000 * (ofPath + (method == other.method ? 0 : 3))
  }

  /// The names of fields that differ, sorted.
  func differingFields(from other: RequestKey) -> [String] {
    Set(fields).symmetricDifference(other.fields).map { String($0.prefix { $0 != "=" }.prefix(30)) }.sorted()
      .reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  private static let mostCharacters = 72
  /// Longer paths are compared by their beginnings.
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
      return FormText.pairs(body.bytes).map { "\($0.name)=\($0.value)" }
    }
    return body.bytes.isEmpty ? [] : [String(decoding: body.bytes, as: UTF8.self)]
  }

  private static func differences(_ one: [String], _ other: [String]) -> Int {
    let change = other.difference(from: one)
    return max(change.insertions.count, change.removals.count)
  }

  /// The fewest letters to put in, take out or change.
  private static func edits(from one: String, to other: String) -> Int {
    let (one, other) = (Array(one.utf8.prefix(mostCompared)), Array(other.utf8.prefix(mostCompared)))
    var row = Array(0...other.count)
    for (index, byte) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, otherByte) in other.enumerated() {
        let next = min(row[column] + 1, row[column + 1] + 1, diagonal + (byte == otherByte ? 0 : 1))
        diagonal = row[column + 1]
        row[column + 1] = next
      }
    }
    return row[other.count]
  }
}
