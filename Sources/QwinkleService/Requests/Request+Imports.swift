import HTTPTypes
public import QwinkleModel
public import QwinkleWire

/// Import of posts from an archive. Only Qwinkle's own service has these calls.
extension Request where Answer == [String: Qwink.ID] {
  /// The posts that exist already, by their ids in the archive. At most 100 ids.
  public static func importedPosts(_ uris: [String]) -> Request {
    Request(
      "asking for imported posts", .post, "\(RequestPath.imports)/known", json: WireEncoder.importQuestion(uris),
      decode: WireDecoder.importAnswer
    ).asQuery
  }
}

extension Request where Answer == Qwink {
  /// Imports a post with its original time. If it was imported before, returns it unchanged.
  public static func importPost(_ post: ArchivedPost, media: [Identifier<Attachment>]) -> Request {
    Request(
      "importing a post", .post, "\(RequestPath.imports)/statuses",
      json: WireEncoder.importedPost(post, media: media), decode: WireDecoder.qwink)
  }
}

extension Request where Answer == UploadState {
  /// Uploads a file for an imported post. It doesn't count as one of the user's usual uploads.
  public static func importFile(_ upload: Upload, boundary: String) -> Request {
    self.upload(upload, at: "\(RequestPath.imports)/media", boundary)
  }
}

extension RequestPath {
  fileprivate static let imports = "/api/qwinkle/v1/import"
}
