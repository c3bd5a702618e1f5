import FoundationEssentials
import QwinkleModel

/// Recent edits and deletions received from streams. A page requested earlier must neither restore deleted qwinks nor
/// revert edits.
struct StreamedChanges {
  /// Maximum number of entries of each kind: more than the number of changes during one request.
  private static let most = 512

  private var deleted: Set<String> = []
  private var deletedInOrder: [String] = []
  private var edits: [Qwink.ID: Qwink] = [:]
  private var editsInOrder: [Qwink.ID] = []

  mutating func noteDeleted(_ id: Qwink.ID) {
    guard deleted.insert(id.rawValue).inserted else { return }
    deletedInOrder.append(id.rawValue)
    if deletedInOrder.count > Self.most { deleted.remove(deletedInOrder.removeFirst()) }
  }

  /// Records an edit, unless a later edit has been recorded.
  mutating func noteEdited(_ qwink: Qwink) {
    if let known = edits[qwink.originalID], known.isEditedLater(than: qwink) { return }
    if edits.updateValue(qwink, forKey: qwink.originalID) == nil { editsInOrder.append(qwink.originalID) }
    if editsInOrder.count > Self.most { edits[editsInOrder.removeFirst()] = nil }
  }

  func isDeleted(_ qwink: Qwink) -> Bool {
    deleted.contains(qwink.id.rawValue) || deleted.contains(qwink.originalID.rawValue)
  }

  /// Whether no later edit of the qwink has been recorded.
  func isNewest(_ edit: Qwink) -> Bool { edits[edit.originalID].map { !$0.isEditedLater(than: edit) } ?? true }

  /// Returns the row, updated with the recorded edit of its qwink if that edit is newer.
  func newest(_ qwink: Qwink) -> Qwink {
    guard let edit = edits[qwink.originalID], edit.isEditedLater(than: qwink) else { return qwink }
    return qwink.edited(by: edit)
  }

  func applied(to page: Page<Qwink>) -> Page<Qwink> {
    guard !deleted.isEmpty || !edits.isEmpty else { return page }
    var page = page
    if page.items.contains(where: isDeleted) { page = page.filtered { !isDeleted($0) } }
    for index in page.items.indices {
      let newest = newest(page.items[index])
      guard newest != page.items[index] else { continue }
      page.items[index] = newest
      page.changed.insert(index)
    }
    return page
  }
}

extension Qwink {
  /// Whether this version of a qwink is a later edit than another one.
  func isEditedLater(than other: Qwink) -> Bool {
    guard let editedAt else { return false }
    return other.editedAt.map { editedAt > $0 } ?? true
  }

  /// Returns this row with an edited version of its qwink. The user's reactions are preserved, because public streams
  /// don't include them.
  func edited(by edit: Qwink) -> Qwink {
    var edit = edit
    edit.isBoosted = isBoosted
    edit.isFavourite = isFavourite
    edit.isBookmarked = isBookmarked
    edit.isPinned = isPinned
    edit.isThreadMuted = isThreadMuted
    return updated(by: edit) ?? self
  }
}
