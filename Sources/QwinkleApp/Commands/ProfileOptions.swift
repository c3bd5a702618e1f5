import ArgumentParser
import PaneKit
import QwinkleModel

/// Options that change the user's profile and their defaults for new posts.
struct ProfileOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Change your display name.", valueName: "text"))
  var name: String?

  @Option(help: ArgumentHelp("Change the text about you.", valueName: "text"))
  var about: String?

  @Option(
    help: ArgumentHelp(
      "Replace all lines of your profile; repeatable. An empty one removes all.", valueName: "name=value"))
  var field: [String] = []

  @Flag(inversion: .prefixedNo, help: "Approve each new follower.")
  var locked: Bool?

  @Flag(inversion: .prefixedNo, help: "Mark your account as a bot.")
  var bot: Bool?

  @Flag(inversion: .prefixedNo, help: "Let your server recommend your profile.")
  var discoverable: Bool?

  @Flag(inversion: .prefixedNo, help: "Let everyone find your public posts by searching.")
  var searchable: Bool?

  @Flag(inversion: .prefixedNo, help: "Hide your followers and follows from others.")
  var hideFollows: Bool?

  @Option(
    help: ArgumentHelp(
      "Change who can see your new posts by default: public, unlisted or followers.", valueName: "audience"))
  var defaultVisibility: String?

  @Flag(inversion: .prefixedNo, help: "Mark your new posts as sensitive by default.")
  var defaultSensitive: Bool?

  @Option(help: ArgumentHelp("Change the default language of your posts; none removes it.", valueName: "code"))
  var defaultLanguage: String?

  private static let none = "none"

  private var settings: [OwnProfile.Setting: Bool?] {
    [
      .isLocked: locked, .isBot: bot, .isDiscoverable: discoverable, .isIndexed: searchable,
      .hidesFollows: hideFollows,
    ]
  }

  var isChange: Bool {
    name != nil || about != nil || !field.isEmpty || settings.values.contains { $0 != nil }
      || defaultVisibility != nil || defaultSensitive != nil || defaultLanguage != nil
  }

  func validate() throws {
    for line in field where !line.isEmpty && Self.line(line) == nil {
      throw ValidationError("“\(line)” has no name or no value. Example: --field Site=https://example.org")
    }
    if let defaultVisibility, Self.visibility(defaultVisibility) == nil {
      throw ValidationError("--default-visibility is public, unlisted or followers.")
    }
    if let defaultLanguage, defaultLanguage != Self.none, !LanguageCode.isCode(defaultLanguage) {
      throw ValidationError("“\(defaultLanguage)” is not a language. Use a code such as en, or none.")
    }
  }

  private static func line(_ text: String) -> OwnProfile.Field? {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, !parts.contains(where: { $0.allSatisfy(\.isWhitespace) }) else { return nil }
    let texts = parts.map { OwnText.withoutControls($0, keepsNewlines: false) }
    return OwnProfile.Field(name: texts[0], value: texts[1])
  }

  private static func visibility(_ word: String) -> Visibility? {
    switch word {
    case "public": .public
    case "unlisted": .unlisted
    case "followers", "private": .private
    default: nil
    }
  }

  /// Applies the options to a profile.
  func apply(to profile: inout OwnProfile) {
    if let name { profile.displayName = OwnText.withoutControls(name, keepsNewlines: false) }
    if let about { profile.note = OwnText.withoutControls(about, keepsNewlines: true) }
    if !field.isEmpty { profile.fields = field.compactMap(Self.line) }
    for (setting, value) in settings {
      if let value { profile.settings[setting] = value }
    }
    if let visibility = defaultVisibility.flatMap(Self.visibility) { profile.usualVisibility = visibility }
    if let defaultSensitive { profile.isUsuallySensitive = defaultSensitive }
    if let defaultLanguage { profile.usualLanguage = defaultLanguage == Self.none ? "" : defaultLanguage }
  }
}
