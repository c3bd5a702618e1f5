/// A file of an entry, as its writer knows it. It is saved with the entry: the server is asked for none of this.
public struct OutgoingFile: Hashable, Sendable, Codable {
  /// The server's id, which ``Entry/attachmentIDs`` has.
  public var id: String
  /// Nil if it isn't known.
  public var name: String?
  /// 0 if it isn't known.
  public var byteCount: Int
  public var kind: Attachment.Kind
  /// Its description; empty if it has none, or none is known.
  public var altText: String
  /// Whether the server has the description.
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

  /// What is known of a file of a qwink.
  public init(_ attachment: Attachment) {
    self.init(id: attachment.id.rawValue, kind: attachment.kind, altText: attachment.altText ?? "")
  }

  /// What another version calls otherwise or leaves out is unknown: it costs no draft.
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
