import HTTPTypes

/// Serves media files. As on Mastodon, a request needs no token, because file names can't be guessed.
enum MediaFileHandlers {
  static let routes = [Route(.get, "/media/:name", outside: file)]

  static func path(of name: String) -> String { "/media/\(name)" }

  private static func file(_ request: ServiceRequest, _ service: Service) async throws -> ServiceResponse {
    guard let name = request.arguments.first, MediaFolder.isName(name),
      let type = try await service.read(request, { try $0.typeOfFile(name) }),
      let file = try service.media.folder.file(name)
    else { throw Refusal.notFound }
    let tag = "\"\(name.prefix(32))\""
    var response = ServiceResponse(.part(of: file, 0..<file.size, type: type))
    if isKnown(tag, request) {
      response = ServiceResponse(.nothing, status: .notModified)
    } else if request.method == .get {
      switch ByteRange(request.headers, size: file.size, tag: tag) {
      case .whole: break
      case .part(let range):
        response = ServiceResponse(.part(of: file, range, type: type), status: .partialContent)
        response.headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
      case .none:
        response = ServiceResponse(.error("The file has \(file.size) bytes."), status: .rangeNotSatisfiable)
        response.headers[.contentRange] = "bytes */\(file.size)"
        return response
      }
    }
    // Clients can cache a file for a year, because its content never changes. The content security policy disables
    // scripts and subresources if a browser opens the file as a page.
    response.headers[.cacheControl] = "public, max-age=31536000, immutable"
    response.headers[.eTag] = tag
    response.headers[.acceptRanges] = "bytes"
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'; sandbox"
    if let name = HTTPField.Name("Cross-Origin-Resource-Policy") { response.headers[name] = "cross-origin" }
    return response
  }

  private static func isKnown(_ tag: String, _ request: ServiceRequest) -> Bool {
    request.headers[values: .ifNoneMatch].joined(separator: ",").split(separator: ",").contains { value in
      let value = value.filter { $0 != " " }
      return value == "*" || value == tag || value == "W/\(tag)"
    }
  }
}
