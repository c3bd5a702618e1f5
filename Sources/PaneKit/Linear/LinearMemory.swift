/// The texts that a ``LinearPresenter`` has announced, by view. The presenter compares them with the current texts to
/// find changes.
@MainActor
struct LinearMemory {
  private struct Entry {
    weak var view: View?
    /// The last gist announced, by kind. A gist is the part of a text whose changes are announced.
    var said: [LinearText.Kind: String] = [:]
    /// The announced list item that is farthest down the list, and its text.
    var item: (mark: ListMark, lines: [String])?
  }

  private var entries: [ObjectIdentifier: Entry] = [:]

  private subscript(_ view: View) -> Entry {
    get {
      // The entry may be left from a deallocated view that had the same address.
      guard let entry = entries[ObjectIdentifier(view)], entry.view === view else { return Entry(view: view) }
      return entry
    }
    set { entries[ObjectIdentifier(view)] = newValue }
  }

  /// Records a view's current gist of a kind. Returns whether the gist is new.
  mutating func note(_ gist: String?, _ kind: LinearText.Kind, of view: View) -> Bool {
    let isNew = self[view].said[kind] != gist
    if isNew { self[view].said[kind] = gist }
    return isNew
  }

  /// Returns the announced item that is farthest down `list`, or nil if no item has been announced.
  func item(of list: ListView) -> (mark: ListMark, lines: [String])? { self[list].item }

  mutating func note(_ lines: [String], ofItemAt index: Int, of list: ListView) {
    self[list].item = (list.mark(at: index), lines)
  }

  /// Forgets the texts announced for `view` and its descendants: only texts of `kind`, or all texts if `kind` is nil.
  /// List items are not forgotten. Also removes the entries of deallocated views.
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
