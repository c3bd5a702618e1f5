import PaneKit
import QwinkleModel
import Terminal

/// The keys that can be pressed while writing, for the bottom bar.
@MainActor
enum EntryHints {
  /// The keys that work now, most useful first. While fetching or sending, only leaving works.
  static func standing(_ keymap: Keymap, for composer: EntryComposer) -> [BarView.Item] {
    var items: [BarView.Item] = []
    func add(_ action: Action, _ word: String? = nil, priority: Int) {
      guard let binding = keymap.binding(of: action, in: [.entry]) else { return }
      items.append(item(binding.keyName, word ?? binding.word, priority))
    }
    let isWriting = composer.activity == .writing
    if isWriting { add(.entrySend, EntryWords.sending(composer.purpose), priority: 20) }
    // Don't promise a saved draft if it can't be saved.
    add(.entryLeave, composer.canBeKept ? nil : EntryWords.closeUnsaved, priority: 19)
    guard isWriting else { return items }
    if composer.canChangeVisibility { add(.entryVisibility, priority: 17) }
    if let more = keymap.binding(of: .entryWarning, in: [.entry])?.sequences.first, more.count > 1 {
      items.append(item(Keymap.name(of: [more[0]]), "more", 18))
    }
    add(.entryComplete, priority: 16)
    return items
  }

  private static func item(_ key: String, _ word: String, _ priority: Int) -> BarView.Item {
    BarView.Item([TextRun(key, .key), TextRun(" \(word)", .dim)], priority: priority)
  }
}
