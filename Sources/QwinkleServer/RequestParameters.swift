import FoundationEssentials
import HTTPTypes

/// The named values of a request's body (JSON object or form) and query, for requests that are no entry.
struct RequestParameters {
  private var values: [String: String] = [:]

  init(_ request: ServiceRequest) throws(Refusal) {
    for item in request.query { values[item.name] = item.value }
    guard !request.body.isEmpty else { return }
    let kind = request.headers[.contentType]?.lowercased() ?? ""
    if kind.hasPrefix("application/json") {
      guard let object = try? JSONDecoder().decode([String: Value].self, from: Data(request.body)) else {
        throw Refusal(status: .badRequest, message: "The body is not a JSON object.")
      }
      for (name, value) in object { values[name] = value.text }
    } else if kind.hasPrefix("application/x-www-form-urlencoded") || kind.isEmpty {
      for item in ServiceRequest.items(of: String(decoding: request.body, as: UTF8.self)) {
        values[item.name] = item.value
      }
    } else {
      throw Refusal(status: .unsupportedMediaType, message: "Send JSON or a form.")
    }
  }

  subscript(name: String) -> String? { values[name] }

  /// A string; a list of strings joined by line breaks; what else there is counts as absent.
  private struct Value: Decodable {
    var text: String?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self.text = text
      } else {
        text = (try? container.decode([String].self))?.joined(separator: "\n")
      }
    }
  }
}
