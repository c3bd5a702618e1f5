/// A file of an entry, with details saved locally, so that they needn't be fetched from the server.
public struct OutgoingFile: Hashable, Sendable, Codable {
  /// The server's id, as in ``Entry/attachmentIDs``.
  public var id: String
  /// Nil if unknown.
  public var name: String?
  /// 0 if unknown.
  public var byteCount: Int
  public var kind: Attachment.Kind
  /// The description. Empty if missing or unknown.
  public var altText: String
  /// Whether the description is stored on the server.
  public var isDescribed: Bool

  public init(
    id: String, name: String? = nil, byteCount: Int = 0, kind: Attachment.Kind = .unknown, altText: String = "",
    isDescribed: Bool = true
  ) {
    self.id = id
    self.name = name
    self.byteCount = byteCount
    self.kind = kind
    self.altText = altText
    self.isDescribed = isDescribed
  }

  /// Creates a record for a qwink's existing attachment.
  public init(_ attachment: Attachment) {
    self.init(id: attachment.id.rawValue, kind: attachment.kind, altText: attachment.altText ?? "")
  }

  /// Uses defaults for missing or invalid fields except the id, so that a draft saved by another version of Qwinkle can
  /// still be loaded.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    name = try? container.decode(String.self, forKey: .name)
    byteCount = (try? container.decode(Int.self, forKey: .byteCount)) ?? 0
    kind = (try? container.decode(Attachment.Kind.self, forKey: .kind)) ?? .unknown
    altText = (try? container.decode(String.self, forKey: .altText)) ?? ""
    isDescribed = (try? container.decode(Bool.self, forKey: .isDescribed)) ?? true
  }
}

extension Attachment.Kind: Codable {}
