import PaneKit
import QwinkleAccount
import QwinkleModel

/// Follows a qwinker with options, or changes the options of a follow.
@MainActor
final class FollowOptionsSheet: FormSheet {
  private let qwinker: Qwinker
  private let follows: Follows
  private let isFollowed: Bool
  /// The options of the existing or of a new follow.
  private let before: FollowOptions

  init(_ qwinker: Qwinker, relationship: Relationship, follows: Follows, keymap: Keymap) {
    self.qwinker = qwinker
    self.follows = follows
    isFollowed = relationship.isFollowing || relationship.isRequested
    before = isFollowed ? relationship.followOptions : .usual
    super.init(
      title: FollowOptionsWords.title(qwinker, isFollowed: isFollowed), fields: FollowOptionsWords.fields(before),
      keymap: keymap)
  }

  override func accept() {
    let texts = texts
    guard let languages = FollowOptions.languages(in: texts[2]) else {
      return fail(FollowOptionsWords.noLanguage(texts[2]))
    }
    let wanted = FollowOptions(
      showsBoosts: texts[0] == FollowOptionsWords.shown, notifies: texts[1] == EntryWords.yes, languages: languages)
    let change = wanted.changes(from: before)
    dismiss()
    guard !isFollowed || !change.isEmpty else { return }
    follows.follow(qwinker, isOn: true, options: change.isEmpty ? nil : change)
    let words = FollowOutcome.activity(qwinker, isOn: true, changesOptions: isFollowed)
    navigator?.say(words, .dim) { [weak follows, qwinker] in follows?.isInProgress(qwinker.id) ?? false }
  }
}

/// Texts of the form.
@MainActor
enum FollowOptionsWords {
  static let shown = "shown"
  static let hidden = "hidden"

  static func title(_ qwinker: Qwinker, isFollowed: Bool) -> String {
    isFollowed ? "Options of following @\(qwinker.handle)" : "Follow @\(qwinker.handle)"
  }

  static func fields(_ options: FollowOptions) -> [FormSheet.Field] {
    let languages = options.languages ?? []
    return [
      .init(
        label: "Boosts", text: options.showsBoosts == false ? hidden : shown,
        help: "Their boosts in your home timeline · Space changes it", choices: [shown, hidden]),
      .init(
        label: "Notify", text: options.notifies == true ? EntryWords.yes : EntryWords.no,
        help: "A notification of each of their posts · Space changes it", choices: [EntryWords.no, EntryWords.yes]),
      .init(
        label: "Languages",
        text: languages.isEmpty ? FollowOptions.allLanguages : languages.joined(separator: ", "),
        help: "all, or only posts in some languages, such as: en, de"),
    ]
  }

  static func noLanguage(_ text: String) -> String {
    "“\(text)” is not a list of languages. Use all, or codes such as en, de or pt-BR."
  }
}
