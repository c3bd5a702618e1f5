import HTTPTypes
import QwinkleModel
import QwinkleWire
import SafeText

/// Uploads of pictures for posts. <https://docs.joinmastodon.org/methods/media/>
enum MediaHandlers {
  static let routes = [
    Route(.post, "/api/v1/media", outsideFor: .required, upload),
    Route(.post, "/api/v2/media", outsideFor: .required, upload),
    Route(.get, "/api/v1/media/:id", .required) { request, transaction in
      ServiceResponse(WireEncoder.attachment, try transaction.media(request.id))
    },
    Route(.put, "/api/v1/media/:id", .required) { request, transaction in
      _ = try transaction.media(request.id)
      let sent = try request.parameters().refuseOthers(than: ["description", "focus"])
      try transaction.describeMedia(request.id, as: try altText(in: sent), focus: try focus(in: sent))
      return ServiceResponse(WireEncoder.attachment, try transaction.media(request.id))
    },
    Route(.delete, "/api/v1/media/:id", .required) { request, transaction in
      try transaction.deleteMedia(request.id)
      return .done
    },
  ]

  static let mostOfPost = 4
  static let mostAltTextCharacters = 1500
  /// Maximum UTF-8 length of an alt text. Needed in addition to the character limit, because combining marks add many
  /// bytes but few characters.
  private static let mostAltTextBytes = 20_000

  static func upload(_ request: ServiceRequest, _ service: Service) async throws -> ServiceResponse {
    let me = try request.me()
    let sent = try request.parameters().refuseOthers(than: ["file", "description", "focus"])
    let description = try altText(in: sent) ?? ""
    let focus = try focus(in: sent)
    guard let file = try sent.file("file") else { throw Refusal.invalid("file is missing.") }
    let stored = try await service.store(file.body, for: request, hasBlurhash: true)
    return try await service.add([stored], for: request) { transaction in
      let transaction = transaction.viewed(by: me)
      return try transaction.withinTextQuota {
        ServiceResponse(
          WireEncoder.attachment,
          try transaction.media(transaction.addMedia(stored, of: me, description: description, focus: focus)))
      }
    }
  }

  /// Returns the point that stays visible if clients crop the picture.
  private static func focus(in sent: RequestParameters) throws -> FocalPoint? {
    guard let text = try sent.text("focus"), !text.isEmpty else { return nil }
    guard let focus = FocalPoint(typed: text) else {
      throw Refusal.invalid("focus must be two numbers between -1 and 1, such as 0.5,-0.25.")
    }
    return focus
  }

  private static func altText(in sent: RequestParameters) throws -> String? {
    // SQLite text ends at NUL, so remove NULs.
    guard let text = try sent.text("description")?.filter({ $0 != "\0" }) else { return nil }
    guard text.count <= mostAltTextCharacters, text.utf8.count <= mostAltTextBytes else {
      throw Refusal.invalid(
        "The description is too long: the limit is \(mostAltTextCharacters) characters and \(mostAltTextBytes) bytes.")
    }
    return text
  }

  /// Returns the ids of a new post's pictures.
  static func ids(in sent: RequestParameters) throws -> [Int64] {
    let ids = try sent.ids("media_ids")
    guard ids.count <= mostOfPost else {
      throw Refusal.invalid("media_ids: a post has at most \(mostOfPost) pictures.")
    }
    return ids
  }

  /// Returns the pictures of an edited post. Each choice contains the picture's new description if the client sent one.
  static func choices(in sent: RequestParameters) throws -> [MediaChoice] {
    var choices = try ids(in: sent).map { MediaChoice(id: $0) }
    for attributes in try sent.objects("media_attributes") ?? [] {
      try attributes.refuseOthers(than: ["id", "description", "focus"])
      guard let id = try attributes.id("id"), let place = choices.firstIndex(where: { $0.id == id }) else {
        throw Refusal.invalid("media_attributes is about a picture that is not in media_ids.")
      }
      choices[place].description = try altText(in: attributes)
      choices[place].focus = try focus(in: attributes)
    }
    return choices
  }
}
