import PaneKit
import QwinkleModel

/// Texts of the profile form.
enum ProfileWords {
  static let title = "Your profile"
  static let name = "Name"
  static let note = "About"
  static let fieldName = "name"
  static let fieldValue = "value"
  static let aboutFieldName = "The name of a line of your profile, such as Site. Empty lines are removed."
  static let aboutFieldValue = "Servers verify the address of a page that links to your profile."
  static let visibility = "Visibility"
  static let aboutVisibility = "The audience of new posts, unless you choose otherwise · Space changes it"
  static let sensitive = "Sensitive"
  static let aboutSensitive = "Whether pictures in new posts are hidden at first · Space changes it"
  static let language = "Language"
  static let aboutLanguage = "The language of new posts, such as en; empty: unknown"

  static func field(_ number: Int) -> String { "Field \(number)" }
  static func fieldValue(_ number: Int) -> String { "Value \(number)" }

  static func label(_ setting: OwnProfile.Setting) -> String {
    switch setting {
    case .isLocked: "Locked"
    case .isBot: "Bot"
    case .isDiscoverable: "Discoverable"
    case .isIndexed: "Searchable"
    case .hidesFollows: "Hide follows"
    }
  }

  static func help(_ setting: OwnProfile.Setting) -> String {
    let meaning =
      switch setting {
      case .isLocked: "You approve each new follower"
      case .isBot: "A program posts, at least in part"
      case .isDiscoverable: "Your server may recommend your profile"
      case .isIndexed: "Everyone may find your public posts by searching"
      case .hidesFollows: "Only you can list your followers and follows"
      }
    return "\(meaning) · Space changes it"
  }

  static func word(_ visibility: Visibility) -> String {
    switch visibility {
    case .public: "public"
    case .unlisted: "unlisted"
    case .private: "followers"
    case .direct: "direct"
    }
  }

  static func halfField(_ number: Int, lacksName: Bool) -> String {
    "Field \(number) has no \(lacksName ? fieldName : fieldValue)."
  }

  static func noLanguage(_ text: String) -> String { "“\(text)” is not a language. Use a code such as en or pt-BR." }

  static let fetching = "Fetching your profile…"
  /// Names the action in messages of ``Account/undo()``.
  static let savingProfile = "Saving your profile"
  static let saved = "Profile saved"
  /// Shown while a profile picture is being sent. ``saved(_:)`` reports success.
  static func sending(_ picture: OwnProfile.Picture) -> String { "Sending your \(picture.rawValue)…" }

  static func saved(_ picture: OwnProfile.Picture) -> String {
    switch picture {
    case .avatar: "Avatar saved"
    case .header: "Header saved"
    }
  }

  static func removed(_ picture: OwnProfile.Picture) -> String {
    switch picture {
    case .avatar: "Avatar removed"
    case .header: "Header removed"
    }
  }

  static let isPublic = "Everyone can see this."
  static let fetchFailed = "Your profile could not be fetched."

  static func notFetched(_ reason: String) -> String { "\(fetchFailed) \(reason) \(Action.formSave.key) retries." }
}
