/// What a presenter has said of each view that is still there.
@MainActor
struct LinearMemory {
  private struct Entry {
    weak var view: View?
    /// The gist of what was said last, by kind.
    var said: [LinearText.Kind: String] = [:]
    /// The item of a list that was said last, and its words.
    var item: (mark: ListMark, lines: [String])?
  }

  private var entries: [ObjectIdentifier: Entry] = [:]

  private subscript(_ view: View) -> Entry {
    get {
      // Another view may have had this address before.
      guard let entry = entries[ObjectIdentifier(view)], entry.view === view else { return Entry(view: view) }
      return entry
    }
    set { entries[ObjectIdentifier(view)] = newValue }
  }

  /// Notes what a view says now. Returns whether that is new.
  mutating func note(_ gist: String?, _ kind: LinearText.Kind, of view: View) -> Bool {
    let isNew = self[view].said[kind] != gist
    if isNew { self[view].said[kind] = gist }
    return isNew
  }

  /// The item of a list that was said last.
  func item(of list: ListView) -> (mark: ListMark, lines: [String])? { self[list].item }

  mutating func note(_ lines: [String], ofItemAt index: Int, of list: ListView) {
    self[list].item = (list.mark(at: index), lines)
  }

  /// Forgets everything, or all of one kind, that was said of the views in `view`, and the views that are gone.
  mutating func forget(_ kind: LinearText.Kind?, in view: View) {
    entries = entries.compactMapValues { entry in
      guard let said = entry.view else { return nil }
      guard said.isDescendant(of: view) else { return entry }
      var entry = entry
      if let kind { entry.said[kind] = nil } else { entry.said = [:] }
      return entry
    }
  }
}
