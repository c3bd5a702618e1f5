import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Information for directories of servers: <https://nodeinfo.diaspora.software>.
enum NodeInfoHandlers {
  static let routes = [
    Route(.get, "/.well-known/nodeinfo", .open) { request, _ in
      let link = [
        "rel": "http://nodeinfo.diaspora.software/ns/schema/2.0", "href": request.origin.url("/nodeinfo/2.0"),
      ]
      return ServiceResponse(.json { SmallJSON.bytes(["links": [link]]) })
    },
    Route(.get, "/nodeinfo/2.0", .open) { _, transaction in
      let stats = try transaction.publicStats()
      let isOpen = transaction.terms.isOpen
      return ServiceResponse {
        $0.object { writer in
          writer.field("metadata") { _ in }
          writer.field("openRegistrations", isOpen)
          // The server doesn't federate.
          writer.emptyList("protocols")
          writer.field("services") { writer in
            writer.emptyList("inbound")
            writer.emptyList("outbound")
          }
          writer.field("software") { writer in
            writer.field("name", "qwinkle")
            writer.field("version", ProgramVersion.current)
          }
          writer.field("usage") { writer in
            writer.field("localPosts", stats.posts)
            writer.field("users") { writer in
              writer.field("activeMonth", stats.active)
              writer.field("total", stats.users)
            }
          }
          writer.field("version", "2.0")
        }
      }
    },
  ]
}
