import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal

/// The hashtags that the user follows. Enter opens a hashtag's timeline.
@MainActor
public final class FollowedTagsViewController: ManagedListViewController<Tag> {
  private static let pageSize = 40

  public init(account: Account) {
    super.init(title: ManagedListWords.followedTags, account: account)
  }

  override var keys: [ManagedListKey: String] { [.add: "follow a hashtag", .remove: "unfollow"] }
  override var emptyWords: String { ManagedListWords.noTags }

  override func fetchFirst(_ done: @escaping Completion) -> Fetch? {
    account.fetch(.followedTags(limit: Self.pageSize), completion: done)
  }

  override func fetchPage(at cursor: PageCursor, _ done: @escaping Completion) -> Fetch? {
    account.fetch(.tagsPage(cursor), completion: done)
  }

  override func placeKey(of row: Tag) -> String? { row.name }

  override func text(of item: Tag) -> RowText {
    RowText(item, uses: item.usesCount.map { Counted.words($0, "post") })
  }

  override func open(_ row: Tag) { navigator?.show(.timeline(.tag(row.name))) }

  override func add() {
    ask(ManagedListWords.followTag) { [weak self] text in
      let name = text.hasPrefix("#") ? String(text.dropFirst()) : text
      guard TimelineName(word: "#\(name)") != nil else { return self?.say(PromptWords.badTag, .warning) ?? () }
      self?.follow(name, isOn: true)
    }
  }

  override func remove(_ item: Tag) { follow(item.name, isOn: false) }

  private func follow(_ name: String, isOn: Bool) {
    account.followTag(name, isOn: isOn) { [weak self] tag, isOn, isUndo in
      guard let self else { return }
      change { isOn ? $0.putOnTop(tag) : $0.remove { $0.name == name } }
      if isOn { select(0) }
      if !isUndo { say(ActionWords.undoable(ManagedListWords.followed(name, isOn: isOn)), .new) }
    }
  }
}
