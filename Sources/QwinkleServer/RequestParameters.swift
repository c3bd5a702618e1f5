import FoundationEssentials
import HTTPTypes
import QwinkleWire

/// A request's parameters, from its query and its body (a JSON object or a form, urlencoded or multipart). Entries are
/// decoded by `WireDecoder` instead.
///
/// Repeated names and JSON lists give several values; a trailing `[]` in a name is dropped. In JSON, member `b` of
/// object `a` is named `a[b]`, as in a form. A name's values in the body replace those in the query.
struct RequestParameters {
  private var values: [String: [String]] = [:]
  /// The names of nonempty files in a multipart form.
  private(set) var fileNames: Set<String> = []

  /// Reads query and body, or only the body: secrets don't belong in a query, which others log.
  init(_ request: ServiceRequest, bodyOnly: Bool = false) throws(Refusal) {
    if !bodyOnly { take(request.query) }
    guard !request.body.isEmpty else { return }
    let kind = request.headers[.contentType]?.lowercased() ?? ""
    if kind.hasPrefix("application/json") {
      guard let object = try? JSONDecoder().decode([String: Value].self, from: Data(request.body)) else {
        throw Refusal(status: .badRequest, message: "The body is not a JSON object.")
      }
      for (name, value) in object {
        values[Self.plain(name)] = value.texts
        for (member, value) in value.members { values["\(name)[\(member)]"] = value.texts }
      }
    } else if FormParts.isUsed(for: kind) {
      guard let form = try? FormParts(request.body, contentType: request.headers[.contentType]) else {
        throw Refusal(status: .badRequest, message: "The body is not a complete multipart form.")
      }
      let (files, texts) = (form.parts.filter { $0.fileName != nil }, form.parts.filter { $0.fileName == nil })
      fileNames = Set(files.filter { !$0.body.isEmpty }.map { Self.plain($0.name) })
      take(texts.map { ServiceRequest.QueryItem(name: $0.name, value: $0.text) })
    } else if kind.hasPrefix("application/x-www-form-urlencoded") || kind.isEmpty {
      take(ServiceRequest.items(of: String(decoding: request.body, as: UTF8.self)))
    } else {
      throw Refusal(status: .unsupportedMediaType, message: "Send JSON or a form.")
    }
  }

  /// The last value for a name; nil if there is none.
  subscript(name: String) -> String? { values[name]?.last }

  /// All values for a name, which is given without `[]`.
  func list(_ name: String) -> [String] { values[name] ?? [] }

  /// The last value for a name as a flag; nil if there is none.
  func flag(_ name: String) -> Bool? { self[name].map(ServiceRequest.isYes) }

  private mutating func take(_ items: [ServiceRequest.QueryItem]) {
    var taken: [String: [String]] = [:]
    for item in items { taken[Self.plain(item.name), default: []].append(item.value) }
    values.merge(taken) { $1 }
  }

  private static func plain(_ name: String) -> String { name.hasSuffix("[]") ? String(name.dropLast(2)) : name }

  /// A JSON value as text. Null counts as absent.
  private struct Value: Decodable {
    var texts: [String]
    var members: [String: Value] = [:]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let values = try? container.decode([Value].self) {
        texts = values.flatMap(\.texts)
      } else if let members = try? container.decode([String: Value].self) {
        texts = []
        self.members = members
      } else if let text = try? container.decode(String.self) {
        texts = [text]
      } else if let isSo = try? container.decode(Bool.self) {
        texts = [isSo ? "true" : "false"]
      } else {
        texts = (try? container.decode(Int64.self)).map { [String($0)] } ?? []
      }
    }
  }
}
