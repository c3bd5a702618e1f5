import QwinkleModel
import QwinkleStore

extension OutgoingEntry {
  /// Returns the parts of the entry that the server stored differently.
  func differences(in stored: Qwink) -> [StoredDifference] {
    var before: Qwink?
    if case .edit(let qwink)? = EntryPurpose(of: self) { before = qwink.original }
    return (sent ?? entry).differences(in: stored, insteadOf: before, altTexts: altTexts)
  }

  /// The descriptions of the attachments, in order. An attachment without a description on the server has an empty
  /// string.
  private var altTexts: [String] {
    guard let files else { return given?.files.map(\.altText) ?? [] }
    return (sent ?? entry).attachmentIDs.map { id in
      files.first { $0.id == id && $0.isDescribed }?.altText ?? ""
    }
  }
}

extension AccountConnection {
  /// Notifies observers of the parts of an entry that the server stored differently.
  func tell(_ differences: [StoredDifference]) {
    guard !differences.isEmpty else { return }
    observers.forEach { $0.account(didFind: differences) }
  }
}
