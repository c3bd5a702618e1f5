import FoundationEssentials
import QwinkleModel

/// What streams have told of late: a page that was made before must neither bring back what was deleted nor undo an
/// edit.
struct StreamedChanges {
  /// So many of each are kept: more than happen while a page is under way.
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

  /// Notes an edit. One that comes after a later one is none.
  mutating func noteEdited(_ qwink: Qwink) {
    if let known = edits[qwink.originalID], known.isEditedLater(than: qwink) { return }
    if edits.updateValue(qwink, forKey: qwink.originalID) == nil { editsInOrder.append(qwink.originalID) }
    if editsInOrder.count > Self.most { edits[editsInOrder.removeFirst()] = nil }
  }

  func isDeleted(_ qwink: Qwink) -> Bool {
    deleted.contains(qwink.id.rawValue) || deleted.contains(qwink.originalID.rawValue)
  }

  /// The row with the edit that it lacks.
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
      if page.sources.indices.contains(index) { page.sources[index] = [] }
    }
    return page
  }
}

extension Qwink {
  /// Whether this state of a qwink is a later edit than another one.
  func isEditedLater(than other: Qwink) -> Bool {
    guard let editedAt else { return false }
    return other.editedAt.map { editedAt > $0 } ?? true
  }

  /// This row with an edited qwink in it. What I did with it stays: a stream for everybody doesn't know.
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
