import QwinkleModel
import QwinkleStore

extension OutgoingEntry {
  /// The parts of the entry that the server did not store as they were sent.
  func differences(in stored: Qwink) -> [StoredDifference] {
    var before: Qwink?
    if case .edit(let qwink)? = EntryPurpose(of: self) { before = qwink.original }
    return (sent ?? entry).differences(in: stored, insteadOf: before, altTexts: altTexts)
  }

  /// The descriptions of its attachments, in their order; empty where the server has none yet.
  private var altTexts: [String] {
    guard let files else { return given?.files.map(\.altText) ?? [] }
    return (sent ?? entry).attachmentIDs.map { id in
      files.first { $0.id == id && $0.isDescribed }?.altText ?? ""
    }
  }
}

extension AccountConnection {
  /// Notifies observers of what the server stored differently.
  func tell(_ differences: [StoredDifference]) {
    guard !differences.isEmpty else { return }
    observers.forEach { $0.account(didFind: differences) }
  }
}
