public import QwinkleModel
import QwinkleWire

/// The subject of an entry, such as the qwink that a reply answers. An entry is a qwink or message that the user is
/// writing. The subject is saved with the entry, so that the entry can be shown without cache or server.
extension EntryPurpose {
  /// The qwink, account or conversation that the entry refers to, as a JSON entity of the API. Nil for a new qwink.
  public var subject: String? {
    let entity: [UInt8]? =
      switch self {
      case .new: nil
      case .reply(let qwink), .quote(let qwink), .edit(let qwink): WireEncoder.qwink(qwink)
      case .message(let qwinker): WireEncoder.qwinker(qwinker)
      case .conversation(let conversation): WireEncoder.conversation(conversation)
      }
    return entity.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Restores the purpose of a saved entry. Nil if the purpose is unknown, or if its subject wasn't saved or can't be
  /// decoded.
  public init?(of saved: OutgoingEntry) {
    let entity = saved.subject.map { Array($0.utf8) } ?? []
    let purpose: EntryPurpose? =
      switch Kind(key: saved.purpose) {
      case .new: .new
      case .reply: (try? WireDecoder.qwink(from: entity)).map { .reply(to: $0) }
      case .quote: (try? WireDecoder.qwink(from: entity)).map { .quote(of: $0) }
      case .edit: (try? WireDecoder.qwink(from: entity)).map { .edit($0) }
      case .message: (try? WireDecoder.qwinker(from: entity)).map { .message(to: $0) }
      case .conversation: (try? WireDecoder.conversation(from: entity)).map { .conversation($0) }
      case nil: nil
      }
    // Rejects a subject that doesn't fit the saved purpose. The server may have sent an entity with an unusable id.
    guard let purpose, purpose.key == saved.purpose else { return nil }
    self = purpose
  }
}
