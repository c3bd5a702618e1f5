import HTTPTypes

/// Pictures of qwinkers: their initials, as nobody can upload any.
enum PictureHandlers {
  static let routes = [
    Route(.get, "/avatars/:name", .open) { try picture($0, $1, InitialsPicture.avatar) },
    Route(.get, "/headers/:name", .open) { try picture($0, $1, InitialsPicture.header) },
  ]

  /// A week, in seconds: a name always has the same picture.
  private static let keptFor = 604_800

  private static func picture(
    _ request: ServiceRequest, _ session: Session, _ draw: (String) -> [UInt8]
  ) throws -> ServiceResponse {
    guard let file = request.arguments.first, file.hasSuffix(".png") else { throw Refusal.notFound }
    let name = String(file.dropLast(4))
    guard let id = try session.accountID(named: name), try session.isPresent(id) else { throw Refusal.notFound }
    var response = ServiceResponse(.file(draw(name), type: "image/png"))
    response.headers[.cacheControl] = "public, max-age=\(keptFor)"
    if let name = HTTPField.Name("X-Content-Type-Options") { response.headers[name] = "nosniff" }
    return response
  }
}
