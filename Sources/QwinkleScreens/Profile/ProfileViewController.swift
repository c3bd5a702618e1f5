public import PaneKit
public import QwinkleAccount
import QwinkleModel
import QwinkleService
public import Terminal

/// Edits the user's profile in a sheet over the lower part of the screen.
@MainActor
public final class ProfileViewController: FormSheet {
  private let account: Account
  private var usualVisibility: Visibility?
  private var fetch: Fetch?

  public init(account: Account, keymap: Keymap) {
    self.account = account
    // Limits of most servers. Servers with lower limits return an error.
    let fields = [
      Field(label: ProfileWords.name, help: ProfileWords.isPublic, usualLimit: 30),
      Field(label: ProfileWords.note, help: ProfileWords.isPublic, isSingleLine: false, usualLimit: 500),
    ]
    super.init(title: ProfileWords.title, fields: fields, isLoaded: false, keymap: keymap)
  }

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
        usualVisibility = profile.usualVisibility
        load([profile.displayName, profile.note])
      case .failure(let error): fail(ProfileWords.notFetched(error.sentence))
      }
    }
  }

  override func accept() {
    guard isLoaded else { return load() }
    guard hasChanges else { return dismiss() }
    let profile = OwnProfile(displayName: texts[0], note: texts[1], usualVisibility: usualVisibility)
    send(.setOwnProfile(profile), from: account, doing: ProfileWords.savingProfile) {
      [weak navigator = self.navigator, weak identity = account.identity] in
      identity?.setMe($0)
      navigator?.say(ProfileWords.saved, .new)
    }
  }

  override public func preferredSheetRows(in size: Size) -> Int {
    min(size.rows, max(7, min(super.preferredSheetRows(in: size), size.rows * 2 / 3)))
  }
}
