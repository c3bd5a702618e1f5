import HTTPTypes
import QwinkleModel

/// Read positions, shared by all of a qwinker's clients.
enum MarkerHandlers {
  static let routes = [
    Route(.get, "/api/v1/markers", .required) { request, session in
      let names = try RequestParameters(request).list("timeline")
      let places = ReadPosition.Place.allCases.filter { names.contains($0.rawValue) }
      return ServiceResponse(.readPositions(try session.readPositions(places)))
    },
    Route(.post, "/api/v1/markers", .required, save),
  ]

  /// Takes `home[last_read_id]=…`, and `home[version]=…` from clients that want to be refused if another was faster.
  private static func save(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let parameters = try RequestParameters(request)
    var places: [ReadPosition.Place] = []
    for place in ReadPosition.Place.allCases {
      guard let text = parameters["\(place.rawValue)[last_read_id]"] else { continue }
      guard let id = Int64(text), id >= 0 else { throw Refusal.invalid("\(text) is not a valid ID.") }
      let version = parameters["\(place.rawValue)[version]"].flatMap(Int.init)
      try session.setReadPosition(place, to: id, replacing: version)
      places.append(place)
    }
    return ServiceResponse(.readPositions(try session.readPositions(places)))
  }
}
