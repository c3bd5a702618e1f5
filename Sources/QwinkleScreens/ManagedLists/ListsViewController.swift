import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal

/// The user's lists of people. Enter opens a list's timeline.
@MainActor
public final class ListsViewController: ManagedListViewController<PersonalList> {
  public init(account: Account) {
    super.init(title: ManagedListWords.lists, account: account)
  }

  override var keys: [ManagedListKey: String] {
    [.add: "new list", .edit: "rename", .remove: "delete", .members: "members"]
  }
  override var emptyWords: String { ManagedListWords.noLists }

  override func fetchFirst(_ done: @escaping Completion) -> Fetch? {
    account.fetch(.lists) { done($0.map { Page(items: $0) }) }
  }

  override func placeKey(of row: PersonalList) -> String? { row.id.rawValue }

  override func text(of item: PersonalList) -> RowText {
    RowText(head: [TextRun(item.title, .name)])
  }

  override func open(_ row: PersonalList) { navigator?.show(.timeline(.list(row.id, title: row.title))) }

  override func add() {
    ask(ManagedListWords.newList) { [weak self] title in
      self?.account.change(by: .createList(PersonalList(id: "", title: title)), failing: "Creating a list") {
        [weak self] new in
        self?.change { $0.putOnTop(new) }
        self?.select(0)
        self?.say(ManagedListWords.listCreated, .new)
      }
    }
  }

  override func edit(_ item: PersonalList) {
    ask(ManagedListWords.listName, item.title) { [weak self] title in
      var wanted = item
      wanted.title = title
      self?.account.change(by: .changeList(wanted), failing: "Renaming the list") { [weak self] new in
        self?.change { $0.update { $0.id == item.id ? new : nil } }
        self?.say(ManagedListWords.listRenamed, .new)
      }
    }
  }

  override func remove(_ item: PersonalList) {
    navigator?.ask(ManagedListWords.deleteQuestion(item), again: nil) { [weak self] in
      self?.account.change(by: .deleteList(item.id), failing: "Deleting the list") { [weak self] in
        self?.change { $0.remove { $0.id == item.id } }
        self?.say(ManagedListWords.deleted, .new)
      }
    }
  }

  override func showMembers(of item: PersonalList) { navigator?.show(.qwinkers(.members(item.id))) }
}
