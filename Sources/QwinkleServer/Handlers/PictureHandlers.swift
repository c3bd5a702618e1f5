import HTTPTypes

/// Default avatars and headers for accounts that haven't uploaded pictures. An avatar shows the account's initials.
enum PictureHandlers {
  static let routes = [
    Route(.get, "/avatars/:name", .open) { try picture($0, $1, InitialsPicture.avatar) },
    Route(.get, "/headers/:name", .open) { try picture($0, $1, InitialsPicture.header) },
    Route(.get, "/thumbnail.png", .open) { _, _ in answer(InitialsPicture.avatar(of: "qwinkle")) },
  ]

  /// Time for which clients can cache a picture, in seconds: a week. The picture for a name never changes.
  private static let lifetime = 604_800

  private static func picture(
    _ request: ServiceRequest, _ transaction: Transaction, _ draw: (String) -> [UInt8]
  ) throws -> ServiceResponse {
    guard let file = request.arguments.first, file.hasSuffix(".png") else { throw Refusal.notFound }
    let name = String(file.dropLast(4))
    guard let id = try transaction.accountID(named: name), try transaction.isPresent(id) else { throw Refusal.notFound }
    return answer(draw(name))
  }

  private static func answer(_ picture: [UInt8]) -> ServiceResponse {
    var response = ServiceResponse(.file(picture, type: "image/png"))
    response.headers[.cacheControl] = "public, max-age=\(lifetime)"
    response.headers[.xContentTypeOptions] = "nosniff"
    return response
  }
}
