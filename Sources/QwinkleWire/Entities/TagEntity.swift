import QwinkleModel
import SafeText

/// A tag, which is a string in version 1 of search. <https://docs.joinmastodon.org/entities/Tag/>
enum TagEntity: WireEntity {
  static let canBeString = true

  static func read(from decoder: any Decoder) throws -> Tag {
    let text = try? decoder.singleValueContainer().decode(String.self)
    let fields = try text == nil ? decoder.fields() : nil
    let raw = text ?? fields?.text("name") ?? ""
    if raw.isEmpty { throw MissingField(name: "name") }
    let name = SafeText.line(raw).trimmed()
    let days = fields?.models("history", of: Day.self) ?? []
    // Remove the `#`, which snac includes.
    return Tag(
      name: name.hasPrefix("#") ? String(name.dropFirst()) : name,
      usesCount: days.isEmpty ? nil : days.reduce(0, +), isFollowed: fields?.bool("following"))
  }

  /// Number of uses on one day.
  private enum Day: WireEntity {
    static func read(_ fields: WireFields) -> Int { fields.count("uses") }
  }

  /// Writes a tag with its uses. `base` is any URL on the site that the tag's URL should be on.
  static func write(_ tag: Tag, base: String?, to writer: inout JSONWriter) {
    let days = tag.usesCount.map { [Tag.Day(start: 0, uses: $0, accounts: 0)] } ?? []
    writer.object { writer in
      writeUse(of: tag.name, days, base: base, to: &writer)
      if let isFollowed = tag.isFollowed { writer.field("following", isFollowed) }
    }
  }

  /// Writes a tag with its uses by day, and whether the user follows it.
  static func write(
    _ name: String, _ days: [Tag.Day], base: String, isFollowed: Bool, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writeUse(of: name, days, base: base, to: &writer)
      writer.field("following", isFollowed)
      writer.field("featuring", false)
    }
  }

  /// Writes a tag's name, URL and history. The API requires the numbers in the history to be strings.
  private static func writeUse(of name: String, _ days: [Tag.Day], base: String?, to writer: inout JSONWriter) {
    writer.field("name", name)
    writer.field("url", HTMLWriter.tagURL(name, base: base))
    writer.field("history", days) { writer, day in
      writer.object { writer in
        writer.field("day", String(day.start))
        writer.field("uses", String(day.uses))
        writer.field("accounts", String(day.accounts))
      }
    }
  }

  /// Writes a tag of a status, without its history.
  static func write(_ name: String, base: String?, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("name", name)
      writer.field("url", HTMLWriter.tagURL(name, base: base))
    }
  }
}
