import QwinkleModel
import SafeText

/// A custom emoji of a status or an account. <https://docs.joinmastodon.org/entities/CustomEmoji/>
enum CustomEmojiEntity: WireEntity {
  /// Emoji beyond this number are shown as text.
  static let most = 64

  /// Requires a name of the characters that servers allow. Other names could contain markup or match plain text.
  static func read(_ fields: WireFields) throws -> CustomEmoji {
    let name = fields.text("shortcode")
    guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(isNamePart) else {
      throw MissingField(name: "shortcode")
    }
    // The still picture is preferred, because lists show no animations.
    return CustomEmoji(name: name, url: try fields.required(fields.link("static_url", "url"), "url"))
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "+"):
      true
    default: false
    }
  }

  static func write(_ emoji: CustomEmoji, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("shortcode", emoji.name)
      writer.field("url", emoji.url)
      writer.field("static_url", emoji.url)
      writer.field("visible_in_picker", false)
    }
  }
}

extension WireFields {
  /// Returns the custom emoji of a status or an account.
  func customEmoji() -> [CustomEmoji] {
    Array(models("emojis", of: CustomEmojiEntity.self).prefix(CustomEmojiEntity.most))
  }
}
