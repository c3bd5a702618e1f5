import FoundationEssentials
import SafeText

/// <https://docs.joinmastodon.org/entities/Tag/>
struct TagEntity: WireEntity {
  var name: String

  enum CodingKeys: String, CodingKey {
    case name
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard let name = container.string(.name), !name.isEmpty else { throw MissingField(name: "name") }
    self.name = name
  }

  var model: String {
    let name = SafeText.line(name).trimmingSpaces()
    return name.hasPrefix("#") ? String(name.dropFirst()) : name
  }

  static func write(_ name: String, base: String?, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("name", name)
      writer.field("url", HTMLWriter.tagURL(name, base: base))
    }
  }
}
