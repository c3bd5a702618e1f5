import FoundationEssentials
import QwinkleModel
import SafeText

/// Markers by place; unknown places are ignored. <https://docs.joinmastodon.org/entities/Marker/>
struct MarkersEntity: WireEntity {
  static let dispensableMembers = Set(ReadPosition.Place.allCases.map(\.rawValue))

  var home: Marker?
  var notifications: Marker?

  enum CodingKeys: String, CodingKey {
    case home, notifications
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    home = container.entity(.home)
    notifications = container.entity(.notifications)
  }

  var model: [ReadPosition] {
    ReadPosition.Place.allCases.compactMap { place in
      let marker =
        switch place {
        case .home: home
        case .notifications: notifications
        }
      return marker.map { marker in
        ReadPosition(
          place: place, lastReadID: SafeText.line(marker.lastReadID), version: marker.version,
          updatedAt: marker.updatedAt)
      }
    }
  }

  /// How far one list has been read.
  struct Marker: Decodable {
    var lastReadID: String
    var version: Int
    var updatedAt: Date?

    enum CodingKeys: String, CodingKey {
      case version
      case lastReadID = "last_read_id"
      case updatedAt = "updated_at"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      lastReadID = try container.requiredIdentifier(.lastReadID)
      version = container.int(.version) ?? 0
      // snac writes Unix seconds, in a string.
      updatedAt = container.date(.updatedAt) ?? container.string(.updatedAt).flatMap(WireDate.dateFromSeconds)
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

  /// The body of POST markers.
  static func writeNew(_ place: ReadPosition.Place, lastReadID: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field(key(of: place)) { $0.field("last_read_id", lastReadID) }
    }
  }

  private static func key(of place: ReadPosition.Place) -> StaticString {
    switch place {
    case .home: "home"
    case .notifications: "notifications"
    }
  }
}
