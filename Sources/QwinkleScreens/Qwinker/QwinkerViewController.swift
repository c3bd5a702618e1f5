public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// A profile with the qwinker's qwinks below.
@MainActor
public final class QwinkerViewController: TimelineViewController {
  private let profile: QwinkerProfile
  private var isWhole = false
  /// The value of ``opening`` when the key hints were last updated.
  private var toldOpening: String?

  public init(
    qwinker: Qwinker, account: Account, settings: ReaderSettings = ReaderSettings(), shelf: PictureShelf? = nil
  ) {
    profile = QwinkerProfile(qwinker, account: account)
    super.init(name: .qwinker(qwinker.id), account: account, settings: settings, shelf: shelf)
    title = "@\(qwinker.handle)"
    profile.didChange = { [weak self] in
      self?.showProfile()
      self?.showQwinksAbove()
    }
    on(.edit, when: { [weak self] in self?.isOwnProfileSelected ?? false }) { [weak self] in
      _ = self?.perform(.editProfile)
    }
    showProfile()
  }

  override public func viewDidAppear() {
    super.viewDidAppear()
    profile.load()
  }

  /// The selected qwink, or the first qwink while the profile is selected.
  override public var previewedQwink: Qwink? { selectedQwink ?? rows.lazy.compactMap(\.qwink).first }

  /// The author of the selected qwink, or the profile's owner.
  override public var selectedQwinker: Qwinker? { selectedQwink?.author ?? profile.qwinker }

  override public var status: ScreenStatus {
    var status = super.status
    if isLeadingCellSelected {
      let isAsking = account.follows.relationship(to: profile.qwinker.id)?.isAskingToFollow ?? false
      let asking: [Action] = isAsking ? [.acceptFollow, .refuseFollow] : []
      // Until the relationship is loaded, it's unknown whether the key follows or unfollows.
      let following: [Action] = account.follows.relationship(to: profile.qwinker.id) == nil ? [] : [.follow]
      let acting: [Action] = isOwn ? [.edit] : account.isSignedIn ? asking + following + [.message] : []
      status.hints = [.back] + (opening == nil ? [] : [.open]) + acting + [.followers, .following]
      if account.follows.relationship(to: profile.qwinker.id)?.isFollowing == true {
        status.hints.append(.followOptions)
      }
      status.words[.open] = opening
    }
    // The status bar reports an error in the profile's request as it does for a timeline.
    if status.state.error == nil { status.state.error = profile.error }
    return status
  }

  /// Updates the hint for Enter, which depends on the width.
  override public func updateProperties() {
    guard opening != toldOpening else { return }
    toldOpening = opening
    navigator?.statusDidChange(of: self)
  }

  override public func refresh() {
    super.refresh()
    profile.load()
  }

  override public func encodeRestorableState(with state: inout RestorableState) {
    super.encodeRestorableState(with: &state)
    state["whole"] = isWhole ? "yes" : nil
  }

  override public func decodeRestorableState(with state: RestorableState) {
    super.decodeRestorableState(with: state)
    guard state["whole"] != nil else { return }
    isWhole = true
    showProfile()
  }

  private var isOwn: Bool { account.isMe(profile.qwinker) }

  private var isOwnProfileSelected: Bool { isLeadingCellSelected && isOwn }

  override func openLeadingCell() {
    guard opening != nil else { return }
    isWhole.toggle()
    showProfile()
  }

  /// The hint for Enter on the profile, or nil if Enter does nothing.
  private var opening: String? {
    let columns = view.frame.size.columns
    guard columns > 0, QwinkerProfileLayout.isLong(profileData, columns: columns) else { return nil }
    return isWhole ? QwinkerWords.showLess : QwinkerWords.showAll
  }

  private var profileData: QwinkerProfileData {
    QwinkerProfileData(
      profile.qwinker, tags: account.featuredTags.tags(of: profile.qwinker.id),
      relationship: account.follows.relationship(to: profile.qwinker.id), me: account.identity.me?.id,
      isSignedIn: account.isSignedIn, isWhole: isWhole, at: account.clock.now, zone: account.timeZone)
  }

  // MARK: Pinned posts

  /// The pinned qwinks. Empty until the newest qwinks are loaded: they are needed to detect a server that ignores the
  /// `pinned` parameter and returns all qwinks.
  override var qwinksAbove: [Qwink] {
    let answer = profile.answeredPinned
    guard !answer.isEmpty, account.timelines.state(of: name).refreshedAt != nil else { return [] }
    // `newest` can be one qwink longer than the answer, so the two are equal only if the answer contains all qwinks.
    let newest = account.timelines.timeline(name).rows.prefix(answer.count + 1).compactMap(\.qwink)
    return PinnedQwinks.pinned(in: answer, newest: newest)
      .filter { !account.leavesOut($0, in: filterPlace, evenMuted: true) }
  }

  override func cellData(of qwink: Qwink) -> QwinkCellData {
    var data = super.cellData(of: qwink)
    if qwinksAbove.contains(where: { $0.rowID == qwink.rowID }) {
      data.marks.insert(TextRun(QwinkerWords.pinned, .accent), at: 0)
    }
    return data
  }

  private func showProfile() {
    let data = profileData
    leadingCell = LinesCell { QwinkerProfileLayout.lines(data, columns: $0) }
    navigator?.statusDidChange(of: self)
  }
}
