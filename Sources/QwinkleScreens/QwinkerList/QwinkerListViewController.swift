import FoundationEssentials
import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// A list of people, such as the followers of an account.
@MainActor
public final class QwinkerListViewController: FetchedListViewController<Qwinker> {
  private static let pageSize = 40

  public let name: QwinkerListName

  /// - Parameter qwinker: The list's owner, for the title.
  public init(
    list name: QwinkerListName, of qwinker: Qwinker? = nil, account: Account,
    settings: ReaderSettings = ReaderSettings(), shelf: PictureShelf? = nil
  ) {
    self.name = name
    super.init(title: QwinkerListWords.title(of: name, qwinker: qwinker), account: account)
    account.addObserver(self)
    showPictures(shelf, account: account, settings: settings)
    if case .members = name { registerMemberKeys() }
  }

  override var hints: [Action] {
    let isOther = account.isSignedIn && selectedQwinker != nil && selectedQwinker?.id != account.identity.me?.id
    return ownHints + (rows.isEmpty ? [] : [.open]) + memberHints + (isOther ? [.follow, .message] : []) + [.back]
  }

  /// The actions that this kind of list is for, such as answering in the list of follow requests.
  private var ownHints: [Action] {
    guard !rows.isEmpty else { return [] }
    return switch name {
    case .requesters: [.acceptFollow, .refuseFollow]
    case .muted: [.mute]
    case .blocked: [.block]
    case .followers, .following, .boosters, .favouriters, .members, .collection: []
    }
  }

  override public var status: ScreenStatus {
    var status = super.status
    if let id = selectedRow?.id {
      if name == .muted { status.words[.mute] = QwinkerListWords.mutes(!account.follows.isMuting(id)) }
      if name == .blocked { status.words[.block] = QwinkerListWords.blocks(!account.follows.isBlocking(id)) }
    }
    if memberList != nil {
      status.words[.recordAdd] = QwinkerListWords.adds
      status.words[.recordRemove] = QwinkerListWords.removes
    }
    return status
  }

  override public var selectedQwinker: Qwinker? { selectedRow }

  override func placeKey(of row: Qwinker) -> String? { row.id.rawValue }

  override func open(_ row: Qwinker) {
    navigator?.show(.qwinker(row))
  }

  override func cell(forRowAt index: Int) -> any ListCell {
    let qwinker = rows[index]
    return LinesCell(
      qwinker, relationship: account.follows.relationship(to: qwinker.id), at: account.clock.now, in: account.timeZone,
      pictures: pictures?.cell(of: qwinker))
  }

  override func pictureSubject(ofRowAt index: Int) -> PictureSubject? { .qwinker(rows[index]) }

  override var fetchingWords: String { QwinkerListWords.fetching }

  override var nothing: PlaceholderWords.Lines {
    PlaceholderWords.nothing(
      QwinkerListWords.nothing(in: name), PlaceholderWords.goesBack, PlaceholderWords.refreshes)
  }

  override func fetchFirst(_ done: @escaping Completion) -> Fetch? {
    account.fetch(.qwinkers(name, limit: Self.pageSize)) { [weak self] in
      self?.note($0)
      done($0)
    }
  }

  override func fetchPage(at cursor: PageCursor, _ done: @escaping Completion) -> Fetch? {
    account.fetch(.qwinkersPage(cursor)) { [weak self] in
      self?.note($0)
      done($0)
    }
  }

  private func note(_ result: Result<Page<Qwinker>, DownloadError>) {
    guard case .success(let page) = result else { return }
    let others = page.items.filter { $0.id != account.identity.me?.id }
    account.follows.merge(others, on: name)
  }
}

extension QwinkerListViewController: AccountObserver {
  public func follows(_ follows: Follows, didChange relationship: Relationship) {
    reloadRows { $0.id == relationship.id }
    if selectedRow?.id == relationship.id { navigator?.statusDidChange(of: self) }
  }

  public func follows(_ follows: Follows, didAnswerRequestOf qwinker: Qwinker, accepted: Bool?) {
    if name == .requesters { change { $0.remove { $0.id == qwinker.id } } }
  }
}

/// Keys that add and remove members, if this is one of the user's lists.
extension QwinkerListViewController {
  private var memberList: PersonalList.ID? {
    if case .members(let id) = name { id } else { nil }
  }

  private var memberHints: [Action] {
    memberList == nil ? [] : [.recordAdd] + (rows.isEmpty ? [] : [.recordRemove])
  }

  private func registerMemberKeys() {
    view.keyContext = .records
    on(.recordAdd) { [weak self] in self?.addMember() }
    on(.recordRemove) { [weak self] in
      guard let self else { return }
      guard let qwinker = selectedRow else { return say(ManagedListWords.noneSelected, .dim) }
      set(qwinker, isOn: false)
    }
    for key in [ManagedListKey.edit, .members] {
      on(key.action) { [weak self] in self?.say(ManagedListWords.cannot(key), .dim) }
    }
  }

  private func addMember() {
    present(
      LinePrompt(sign: "Add @", label: QwinkerListWords.adds) { [weak self] text in
        guard let self, !text.isEmpty else { return }
        guard let handle = Handle.reading(text) else { return say(PromptWords.badUser(text), .warning) }
        account.change(by: .lookup(handle: handle), failing: "Adding @\(handle)") { [weak self] in
          self?.set($0, isOn: true)
        }
      })
  }

  private func set(_ qwinker: Qwinker, isOn: Bool, isUndo: Bool = false) {
    guard let list = memberList else { return }
    let what = "\(isOn ? "Adding" : "Removing") @\(qwinker.handle)"
    account.change(by: .setMembers([qwinker.id], of: list, isOn: isOn), failing: what) { [weak self] in
      guard let self else { return }
      change { isOn ? $0.putOnTop(qwinker) : $0.remove { $0.id == qwinker.id } }
      if isUndo { return }
      account.rememberAct(undoneAs: QwinkerListWords.member(qwinker, isOn: !isOn)) { [weak self] in
        self?.set(qwinker, isOn: !isOn, isUndo: true)
      }
      say(ActionWords.undoable(QwinkerListWords.member(qwinker, isOn: isOn)), .new)
    }
  }
}
