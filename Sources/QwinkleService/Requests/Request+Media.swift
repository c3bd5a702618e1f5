import HTTPTypes
public import QwinkleModel
import QwinkleWire

/// A file to upload to a server.
public struct Upload: Hashable, Sendable {
  /// The file name sent to the server.
  public var name: String
  public var type: String?
  public var content: Content
  /// The description; empty if missing.
  public var altText: String
  /// The point that stays visible in a cropped preview; nil for the centre.
  public var focus: FocalPoint?

  public enum Content: Hashable, Sendable {
    case bytes([UInt8])
    /// A file on disk, which is read while it is sent.
    case file(DiskFile)
  }

  public init(name: String, type: String?, content: Content, altText: String = "", focus: FocalPoint? = nil) {
    self.name = name
    self.type = type
    self.content = content
    self.altText = altText
    self.focus = focus
  }

  /// Size in bytes.
  public var byteCount: Int {
    switch content {
    case .bytes(let bytes): bytes.count
    case .file(let file): file.byteCount
    }
  }
}

/// An uploaded attachment, and whether the server has processed it.
public struct UploadState: Hashable, Sendable {
  public var attachment: Attachment
  /// Whether it can be posted. If false, the server is still processing it.
  public var isReady: Bool
}

extension Request where Answer == UploadState {
  /// Uploads a file for use in a post. Falls back to the first version of this endpoint if the second is missing.
  /// `boundary` is a random string that must not occur in the file.
  public static func upload(_ upload: Upload, boundary: String) -> Request {
    var request = version(2, upload, boundary)
    request.fallback = { $0.mayBeOfUnknownCall ? version(1, upload, boundary) : nil }
    return request.needing(.uploads)
  }

  private static func version(_ version: Int, _ upload: Upload, _ boundary: String) -> Request {
    self.upload(upload, at: "/api/v\(version)/media", boundary)
  }

  /// Uploads a file to a path of the server.
  static func upload(_ upload: Upload, at path: String, _ boundary: String) -> Request {
    Request("upload", .post, at: .path(path), read: read).uploading(
      upload, as: "file",
      values: (upload.altText.isEmpty ? [] : [("description", upload.altText)])
        + (upload.focus.map { [("focus", $0.text)] } ?? []),
      boundary: boundary)
  }

  /// Whether the server has finished processing an upload.
  public static func uploadState(_ id: Identifier<Attachment>) -> Request {
    Request("checking an upload", at: .path("/api/v1/media/\(RequestPath.piece(id.rawValue))"), read: read)
  }

  /// Decodes an upload's state. While the server is processing a file, it responds with 202 or 206, or has no URL for
  /// the file yet.
  private static let read: Reader = { (response) throws(WireError) in
    let attachment = try WireDecoder.attachment(from: response.body)
    let isDone = response.head.status != .accepted && response.head.status != .partialContent
    return UploadState(attachment: attachment, isReady: isDone && attachment.url != nil)
  }
}

extension Request where Answer == Attachment {
  /// Changes the description of an upload that isn't posted yet.
  public static func describe(_ id: Identifier<Attachment>, as altText: String) -> Request {
    Request(
      "describing an upload", .put, "/api/v1/media/\(RequestPath.piece(id.rawValue))",
      json: WireEncoder.altText(altText), decode: WireDecoder.attachment)
  }
}

/// Minimum upload speed assumed for timeouts. A slower upload times out.
private let fewestBytesASecond = 10_000

extension Request {
  /// The same request, with a multipart form as its body. The form contains `values`, and the file in the field `name`.
  /// The request reports upload progress, and its timeout depends on the body's size.
  func uploading(
    _ upload: Upload, as name: String, values: [(name: String, text: String)] = [], boundary: String
  ) -> Request {
    var request = self
    let form = FormParts.form(
      values: values, file: (name, upload.name, upload.type ?? "application/octet-stream"), boundary: boundary)
    switch upload.content {
    case .bytes(let bytes): request.body = form.start + bytes + form.end
    case .file(let file): request.file = FileBody(start: form.start, file: file, end: form.end)
    }
    request.tellsSending = true
    request.timeout = .seconds(60 + request.bodyCount / fewestBytesASecond)
    request.fields[.contentType] = "multipart/form-data; boundary=\(boundary)"
    return request
  }
}
