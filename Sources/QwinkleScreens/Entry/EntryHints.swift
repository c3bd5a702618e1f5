import PaneKit
import QwinkleModel
import Terminal

/// Key hints for the bottom bar while the user writes an entry.
@MainActor
enum EntryHints {
  /// Returns hints for the keys that work now. While the entry is being fetched or sent, returns only the hint for the
  /// key that closes it. If the hints don't all fit, the last ones are dropped first, except the key that lists all
  /// keys.
  static func standing(_ keymap: Keymap, for composer: EntryComposer) -> [BarView.Item] {
    var items: [BarView.Item] = []
    func add(_ action: Action, _ word: String? = nil, in context: KeyContext = .entry, priority: Int) {
      guard let binding = keymap.binding(of: action, in: [context]) else { return }
      items.append(item(binding.keyName, word ?? binding.word, priority, action))
    }
    let isWriting = composer.activity == .writing
    if isWriting { add(.entrySend, EntryWords.sending(composer.purpose), priority: 20) }
    // Don't promise a saved draft if it can't be saved.
    add(.entryLeave, composer.canSaveDrafts ? nil : EntryWords.closeUnsaved, priority: 19)
    guard isWriting else { return items }
    add(.entryDiscard, priority: 17)
    add(.entryEditor, priority: 16)
    items.append(item(EntryWords.undoKey, EntryWords.undo, 15, nil))
    add(.help, EntryWords.help, in: .always, priority: 18)
    add(.entryComplete, priority: 14)
    return items
  }

  private static func item(_ key: String, _ word: String, _ priority: Int, _ action: Action?) -> BarView.Item {
    BarView.Item([TextRun(key, .key), TextRun(" \(word)", .dim)], priority: priority, action: action)
  }
}
