import QwinkleModel
import SafeText

/// A hashtag on a profile. <https://docs.joinmastodon.org/entities/FeaturedTag/>
enum FeaturedTagEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> FeaturedTag {
    // Remove the `#`, which some servers include.
    let name = String(SafeText.line(fields.text("name")).trimmed().drop { $0 == "#" })
    if name.isEmpty { throw MissingField(name: "name") }
    return FeaturedTag(
      id: FeaturedTag.ID(SafeText.line(fields.identifier("id") ?? "")), name: name,
      qwinksCount: fields.count("statuses_count"), lastQwinkAt: fields.date("last_status_at"))
  }

  /// Writes a hashtag on the profile at `url`. The API requires the count to be a string.
  static func write(_ tag: FeaturedTag, url: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", tag.id.rawValue)
      writer.field("last_status_at", tag.lastQwinkAt.map { String(WireDate.text($0).prefix(10)) })
      writer.field("name", tag.name)
      writer.field("statuses_count", String(tag.qwinksCount))
      writer.field("url", url)
    }
  }
}
