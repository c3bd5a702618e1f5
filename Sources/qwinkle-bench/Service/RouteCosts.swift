import HTTPTypes
import QwinkleServer
import QwinkleWire

/// The cost of one request on each route of the service, without HTTP and without the server's caches.
@MainActor
struct RouteCosts {
  private let transport: any Transport
  private let token: String

  init(_ service: Service) {
    transport = service.transport()
    token = service.ownerToken
  }

  private static let paths = [
    "/api/v1/timelines/public", "/api/v1/timelines/home", "/api/v1/timelines/tag/garden", "/api/v1/statuses/STATUS",
    "/api/v1/statuses/STATUS/context", "/api/v1/accounts/ACCOUNT", "/api/v1/accounts/ACCOUNT/statuses",
    "/api/v1/accounts/ACCOUNT/followers", "/api/v1/accounts/relationships?id=ACCOUNT", "/api/v1/notifications",
    "/api/v1/conversations", "/api/v1/bookmarks", "/api/v1/favourites", "/api/v2/search?q=basil&type=statuses",
    "/api/v2/search?q=people&type=accounts", "/api/v2/instance", "/api/v1/trends/tags",
    "/api/v1/accounts/verify_credentials", "/api/v1/accounts/lookup?acct=people7",
  ]

  /// Returns the median time of each route, in milliseconds.
  func measure() async throws -> [String: Double] {
    var costs: [String: Double] = [:]
    let (status, account) = ServiceContent.ids
    for path in Self.paths {
      let target = path.replacing("STATUS", with: "\(status)").replacing("ACCOUNT", with: "\(account)")
      var times: [Double] = []
      for _ in 0..<40 {
        let start = ContinuousClock.now
        let answer = try await transport.send(
          TransportRequest(
            head: HTTPRequest(
              method: .get, scheme: "http", authority: "localhost", path: target,
              headerFields: [.authorization: "Bearer \(token)"]), body: []))
        times.append((ContinuousClock.now - start) / .milliseconds(1))
        guard answer.head.status == .ok else {
          print("\(path): \(answer.head.status)")
          break
        }
      }
      costs["GET " + path] = times.median
    }
    return costs
  }
}
