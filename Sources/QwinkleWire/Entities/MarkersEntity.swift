import FoundationEssentials
import QwinkleModel
import SafeText

/// Read positions by timeline. Ignores unknown timelines. <https://docs.joinmastodon.org/entities/Marker/>
struct MarkersEntity: WireEntity {
  static let dispensableMembers = Set(ReadPosition.Place.allCases.map(\.rawValue))

  let model: [ReadPosition]

  enum CodingKeys: String, CodingKey {
    case home, notifications
  }

  enum MarkerKeys: String, CodingKey {
    case version
    case lastReadID = "last_read_id"
    case updatedAt = "updated_at"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    model = ReadPosition.Place.allCases.compactMap { place in
      guard let key = CodingKeys(rawValue: place.rawValue),
        let marker = try? container.nestedContainer(keyedBy: MarkerKeys.self, forKey: key),
        let lastReadID = marker.identifier(.lastReadID)
      else { return nil }
      // snac sends Unix seconds as a string.
      let updatedAt = marker.date(.updatedAt) ?? marker.string(.updatedAt).flatMap(WireDate.dateFromSeconds)
      return ReadPosition(
        place: place, lastReadID: SafeText.line(lastReadID), version: marker.int(.version) ?? 0, updatedAt: updatedAt)
    }
  }

  static func write(_ positions: [ReadPosition], to writer: inout JSONWriter) {
    writer.object { writer in
      for position in positions {
        writer.field(key(of: position.place)) { writer in
          writer.field("last_read_id", position.lastReadID)
          writer.field("version", position.version)
          writer.field("updated_at", position.updatedAt)
        }
      }
    }
  }

  /// Writes the body of POST markers. Most servers ignore the version. The embedded server uses it to reject a position
  /// if its own marker has another version.
  static func writeNew(_ positions: [ReadPosition], to writer: inout JSONWriter) {
    writer.object { writer in
      for position in positions {
        writer.field(key(of: position.place)) { writer in
          writer.field("last_read_id", position.lastReadID)
          if position.version > 0 { writer.field("version", position.version) }
        }
      }
    }
  }

  private static func key(of place: ReadPosition.Place) -> StaticString {
    switch place {
    case .home: "home"
    case .notifications: "notifications"
    }
  }
}
