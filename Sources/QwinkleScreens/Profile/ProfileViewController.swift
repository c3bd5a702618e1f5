public import PaneKit
public import QwinkleAccount
import QwinkleModel
import QwinkleService

/// Edits the user's profile in a sheet over the lower part of the screen.
@MainActor
public final class ProfileViewController: FormSheet {
  private let account: Account
  private let form: ProfileForm
  /// The profile as the server sent it; nil until it is loaded.
  private var profile: OwnProfile?
  private var fetch: Fetch?

  public init(account: Account, keymap: Keymap) {
    self.account = account
    form = ProfileForm(limits: account.identity.serverInfo?.limits.profile ?? ServerInfo.ProfileLimits())
    super.init(title: ProfileWords.title, fields: form.fields, isLoaded: false, keymap: keymap)
  }

  /// The settings appear after the profile has loaded, because servers report different ones.
  override func isShown(_ index: Int) -> Bool { form.isShown(index, of: profile ?? Self.unknown) }

  private static let unknown = OwnProfile(displayName: "", note: "")

  override public func viewDidAppear() {
    super.viewDidAppear()
    if !isLoaded { load() }
  }

  private func load() {
    guard fetch == nil else { return }
    activity = ProfileWords.fetching
    fetch = account.fetch(.ownProfile) { [weak self] result in
      guard let self else { return }
      fetch = nil
      switch result {
      case .success(let profile):
        self.profile = profile
        load(form.texts(of: profile))
      case .failure(let error): fail(ProfileWords.notFetched(error.sentence))
      }
    }
  }

  override func accept() {
    guard isLoaded, let old = profile else { return load() }
    guard hasChanges else { return dismiss() }
    do throws(ProfileForm.Refusal) {
      let profile = try form.profile(texts, changing: old)
      guard profile != old else { return dismiss() }
      send(.setOwnProfile(profile, changing: old), from: account, doing: ProfileWords.savingProfile) {
        [weak navigator = self.navigator, weak identity = account.identity] in
        identity?.setMe($0)
        identity?.noteUsual(profile.usualVisibility)
        navigator?.say(ProfileWords.saved, .new)
      }
    } catch {
      fail(error.sentence)
    }
  }
}
