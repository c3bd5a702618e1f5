import HTTPTypes
import QwinkleWire

/// The disk space that the viewer uses. Not part of the Mastodon API.
enum UsageHandlers {
  static let routes = [
    Route(.get, "/api/qwinkle/v1/usage", .required) { _, transaction in
      let usage = try transaction.usage(of: transaction.me())
      let quotas = transaction.service?.quotas
      return ServiceResponse { writer in
        writer.object { writer in
          writer.field("media_bytes", usage.media)
          writer.field("media_limit", quotas?.pictures)
          writer.field("text_bytes", usage.text)
          writer.field("text_limit", quotas?.text)
        }
      }
    }
  ]
}
