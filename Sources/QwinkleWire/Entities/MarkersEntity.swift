import QwinkleModel
import SafeText

/// Read positions by timeline. Ignores unknown timelines. <https://docs.joinmastodon.org/entities/Marker/>
enum MarkersEntity: WireEntity {
  static let dispensableMembers = Set(ReadPosition.Place.allCases.map(\.rawValue))

  static func read(_ fields: WireFields) -> [ReadPosition] {
    ReadPosition.Place.allCases.compactMap { place in
      guard let marker = fields.object(WireKey(stringValue: place.rawValue)),
        let lastReadID = marker.identifier("last_read_id")
      else { return nil }
      // snac sends Unix seconds as a string.
      let updatedAt = marker.date("updated_at") ?? marker.string("updated_at").flatMap(WireDate.dateFromSeconds)
      return ReadPosition(
        place: place, lastReadID: SafeText.line(lastReadID), version: marker.int("version") ?? 0, updatedAt: updatedAt)
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
