import PaneKit
import QwinkleModel

/// Texts of the profile form.
enum ProfileWords {
  static let title = "Your profile"
  static let name = "Name"
  static let note = "About"
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
