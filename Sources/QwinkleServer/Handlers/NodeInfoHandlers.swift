import HTTPTypes
import QwinkleModel

/// Information for directories of servers: <https://nodeinfo.diaspora.software>.
enum NodeInfoHandlers {
  static let routes = [
    Route(.get, "/.well-known/nodeinfo", .open) { request, _ in
      let link = Link(rel: "http://nodeinfo.diaspora.software/ns/schema/2.0", href: request.origin.url("/nodeinfo/2.0"))
      return ServiceResponse(.json(SmallJSON.bytes(["links": [link]])))
    },
    Route(.get, "/nodeinfo/2.0", .open) { _, transaction in
      let stats = try transaction.publicStats()
      let users = Info.Usage.Users(total: stats.users, activeMonth: stats.active)
      return ServiceResponse(
        .json(
          SmallJSON.bytes(
            Info(openRegistrations: transaction.terms.isOpen, usage: .init(users: users, localPosts: stats.posts)))))
    },
  ]

  private struct Link: Encodable {
    var rel: String
    var href: String
  }

  private struct Info: Encodable {
    struct Software: Encodable {
      var name = "qwinkle"
      var version = InstanceHandlers.programVersion
    }

    struct Usage: Encodable {
      struct Users: Encodable {
        var total: Int
        var activeMonth: Int
      }

      var users: Users
      var localPosts: Int
    }

    var version = "2.0"
    var software = Software()
    /// Empty, because the server doesn't federate.
    var protocols: [String] = []
    var services: [String: [String]] = ["inbound": [], "outbound": []]
    var openRegistrations: Bool
    var usage: Usage
    var metadata: [String: String] = [:]
  }
}
