import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// A profile, with that person's qwinks below.
@MainActor
public final class QwinkerViewController: TimelineViewController {
  private let profile: QwinkerProfile
  private let account: Account
  private var isWhole = false

  public init(qwinker: Qwinker, account: Account, settings: ReaderSettings = ReaderSettings()) {
    profile = QwinkerProfile(qwinker, account: account)
    self.account = account
    super.init(name: .qwinker(qwinker.id), account: account, settings: settings)
    title = "@\(qwinker.handle)"
    profile.didChange = { [weak self] in self?.showProfile() }
    on(.edit, when: { [weak self] in self?.isOwnProfileSelected ?? false }) { [weak self] in
      _ = self?.perform(.editProfile)
    }
    showProfile()
  }

  override public func viewDidAppear() {
    super.viewDidAppear()
    profile.load()
  }

  /// The selected qwink, or while the profile is selected the newest.
  override public var previewedQwink: Qwink? { selectedQwink ?? rows.lazy.compactMap(\.qwink).first }

  /// The author of the selected qwink, or else the page's owner.
  override public var selectedQwinker: Qwinker? { selectedQwink?.author ?? profile.qwinker }

  override public var status: ScreenStatus {
    var status = super.status
    if isLeadingCellSelected {
      let isAsking = account.follows.relationship(to: profile.qwinker.id)?.isAskingToFollow ?? false
      let asking: [Action] = isAsking ? [.acceptFollow, .refuseFollow] : []
      let acting: [Action] = isOwn ? [.edit] : account.isSignedIn ? asking + [.follow, .message] : []
      status.hints = [.back, .open] + acting + [.followers, .following]
    }
    // A failed profile matters as much as a failed timeline.
    if status.state.error == nil { status.state.error = profile.error }
    return status
  }

  override public func refresh() {
    super.refresh()
    profile.load()
  }

  private var isOwn: Bool { account.identity.me?.id == profile.qwinker.id }

  private var isOwnProfileSelected: Bool { isLeadingCellSelected && isOwn }

  override func openLeadingCell() {
    isWhole.toggle()
    showProfile()
  }

  private func showProfile() {
    let data = QwinkerProfileData(
      profile.qwinker, relationship: account.follows.relationship(to: profile.qwinker.id), me: account.identity.me?.id,
      isSignedIn: account.isSignedIn, isWhole: isWhole, zone: account.clock.timeZone)
    leadingCell = LinesCell { QwinkerProfileLayout.lines(data, columns: $0) }
    navigator?.statusDidChange(of: self)
  }
}
