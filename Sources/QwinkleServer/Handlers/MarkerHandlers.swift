import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Read positions in timelines, shared by all clients of an account.
enum MarkerHandlers {
  static let routes = [
    Route(.get, "/api/v1/markers", .required) { request, transaction in
      let names = try request.parameters().list("timeline")
      let places = ReadPosition.Place.allCases.filter { names.contains($0.rawValue) }
      return ServiceResponse(WireEncoder.readPositions, try transaction.readPositions(places))
    },
    Route(.post, "/api/v1/markers", .required, save),
  ]

  /// Saves read positions, which are sent as `home[last_read_id]=…`. A client can also send the last version that it
  /// knows, as `home[version]=…`. The request is then refused if another client has changed the position since.
  private static func save(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let parameters = try request.parameters().refuseOthers(than: Set(ReadPosition.Place.allCases.map(\.rawValue)))
    var places: [ReadPosition.Place] = []
    for place in ReadPosition.Place.allCases {
      guard let sent = try parameters.object(place.rawValue) else { continue }
      guard let id = try sent.id("last_read_id") else { throw sent.fault("last_read_id", "is missing") }
      let version = try sent.integer("version", in: 0...Int.max)
      try transaction.setReadPosition(place, to: id, replacing: version)
      places.append(place)
    }
    return ServiceResponse(WireEncoder.readPositions, try transaction.readPositions(places))
  }
}
