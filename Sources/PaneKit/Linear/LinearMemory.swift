/// Text that a presenter has announced for each existing view.
@MainActor
struct LinearMemory {
  private struct Entry {
    weak var view: View?
    /// The last gist announced, by kind.
    var said: [LinearText.Kind: String] = [:]
    /// The last list item announced, and its text.
    var item: (mark: ListMark, lines: [String])?
  }

  private var entries: [ObjectIdentifier: Entry] = [:]

  private subscript(_ view: View) -> Entry {
    get {
      // A deallocated view may have had the same address.
      guard let entry = entries[ObjectIdentifier(view)], entry.view === view else { return Entry(view: view) }
      return entry
    }
    set { entries[ObjectIdentifier(view)] = newValue }
  }

  /// Records a view's current gist. Returns whether it is new.
  mutating func note(_ gist: String?, _ kind: LinearText.Kind, of view: View) -> Bool {
    let isNew = self[view].said[kind] != gist
    if isNew { self[view].said[kind] = gist }
    return isNew
  }

  /// Returns the last item announced of a list.
  func item(of list: ListView) -> (mark: ListMark, lines: [String])? { self[list].item }

  mutating func note(_ lines: [String], ofItemAt index: Int, of list: ListView) {
    self[list].item = (list.mark(at: index), lines)
  }

  /// Forgets the text, of one kind or all kinds, announced for `view` and its descendants. Also removes deallocated
  /// views.
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
