public import PaneKit
public import QwinkleModel
import Terminal

/// A part of the help: a title and a list of names with their meanings, such as keys and their actions.
public struct HelpPart: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public var name: String
    public var meaning: String
    /// The action, if the entry is a key.
    public var action: String?
    var role: StyleRole = .key
  }

  public var title: String
  public var entries: [Entry]
}

extension HelpPart {
  /// Returns all parts in reading order: the keys of `contexts` first, the keys that always work last. Entries that
  /// need an ability in `lacking`, which the server doesn't have, are left out.
  public static func all(
    keymap: Keymap, near contexts: [KeyContext] = [], lacking: Set<Ability> = []
  ) -> [HelpPart] {
    let groups = HelpWords.groups
    let near = contexts.compactMap { context in groups.first { $0.0 == context } }
    let far = groups.filter { !contexts.contains($0.0) }
    let keys = (near + far).map { HelpPart(keymap, $0.0, title: $0.1, lacking: lacking) }
    let always = HelpPart(keymap, .always, title: HelpWords.always, lacking: lacking)
    return (keys + [signs(keymap), commandsOnScreen(keymap, lacking: lacking), always]).filter { !$0.entries.isEmpty }
  }

  private init(_ keymap: Keymap, _ context: KeyContext, title: String, lacking: Set<Ability>) {
    self.title = title
    let bindings = keymap.bindings.filter { binding in
      binding.context == context && !binding.sequences.isEmpty
        && !(binding.action.ability.map(lacking.contains) ?? false)
    }
    entries = bindings.map { binding in
      Entry(
        name: binding.sequences.map(Keymap.name(of:)).uniqued().joined(separator: "  "), meaning: binding.summary,
        action: binding.action.rawValue)
    }
  }

  /// Returns the context whose keys are listed under `title`.
  public static func context(titled title: String) -> KeyContext? {
    title == HelpWords.always ? .always : HelpWords.groups.first { $0.1 == title }?.0
  }

  private static func signs(_ keymap: Keymap) -> HelpPart {
    let ofQwinks = QwinkSign.allCases.map { Entry(name: $0.rawValue, meaning: $0.meaning, role: .dim) }
    let others = HelpWords.headerSigns.map { Entry(name: $0.sign, meaning: $0.meaning, role: .dim) }
    let entries = (ofQwinks + others).map { entry in
      var entry = entry
      entry.meaning = keymap.naming(entry.meaning)
      return entry
    }
    return HelpPart(title: HelpWords.signs, entries: entries)
  }

  /// The commands that are typed after a colon.
  public static func commandsOnScreen(_ keymap: Keymap, lacking: Set<Ability> = []) -> HelpPart {
    let commands = PromptCommand.all.filter { !($0.usualAbility.map(lacking.contains) ?? false) }
    return HelpPart(
      title: HelpWords.commands, entries: commands.map { Entry(name: $0.usage, meaning: $0.summary(in: keymap)) })
  }
}

extension Array where Element: Hashable {
  /// Returns the elements without duplicates, in order.
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
