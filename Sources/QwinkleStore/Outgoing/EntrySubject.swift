public import QwinkleModel
import QwinkleWire

/// What a saved entry is about is saved with it, so that its list and the entry itself need neither cache nor server.
extension EntryPurpose {
  /// What it is about, as a JSON entity of the API; nil for a new qwink.
  public var subject: String? {
    let entity: [UInt8]? =
      switch self {
      case .new: nil
      case .reply(let qwink), .edit(let qwink): WireEncoder.qwink(qwink)
      case .message(let qwinker): WireEncoder.qwinker(qwinker)
      case .conversation(let conversation): WireEncoder.conversation(conversation)
      }
    return entity.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The purpose of a saved entry; nil if what it is about was not saved with it.
  public init?(of saved: OutgoingEntry) {
    let entity = saved.subject.map { Array($0.utf8) } ?? []
    let purpose: EntryPurpose? =
      switch Kind(key: saved.purpose) {
      case .new: .new
      case .reply: (try? WireDecoder.qwink(from: entity)).map { .reply(to: $0) }
      case .edit: (try? WireDecoder.qwink(from: entity)).map { .edit($0) }
      case .message: (try? WireDecoder.qwinker(from: entity)).map { .message(to: $0) }
      case .conversation: (try? WireDecoder.conversation(from: entity)).map { .conversation($0) }
      case nil: nil
      }
    // A server may have sent an entity whose id can't be used.
    guard let purpose, purpose.key == saved.purpose else { return nil }
    self = purpose
  }
}
