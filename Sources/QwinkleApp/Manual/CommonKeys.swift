import PaneKit
import QwinkleModel
import QwinkleScreens

/// The keys for qwinkle(1), with the user's changes. qwinkle-keys(5) has all keys.
enum CommonKeys {
  private static let rows: [(actions: [Action], meaning: String)] = [
    ([.listNext, .listPrevious], "Select the next or the previous item."),
    ([.listFirst, .listLast], "Go to the first item, or to the last one loaded."),
    ([.open], "Open the selected post with its thread."),
    ([.back], "Go back."),
    ([.nextUnread], "Go to the next unread item."),
    ([.compose], "Write a post. Closing the entry saves a draft."),
    ([.reply], "Reply."),
    ([.message], "Write a direct message to the author."),
    ([.boost, .favourite, .bookmark], "Boost, favourite or bookmark the post. The same key undoes it."),
    ([.undo], "Undo the last action, or cancel a pending one."),
    ([.author], "Open the author's profile."),
    ([.follow], "Follow or unfollow the author."),
    ([.openLink], "Open the post's link, mention or hashtag."),
    ([.viewPictures], "View the pictures."),
    ([.reveal], "Show or hide the text behind a content warning."),
    ([.find], "Find text in the list."),
    ([.refresh], "Fetch new items."),
    ([.sectionPublic, .sectionHome, .sectionMessages], "Public, Home and Messages."),
    ([.sectionNotifications, .sectionBookmarks, .sectionSearch], "Notifications, bookmarks and search."),
    ([.catchUp], "List all posts of Home that you missed."),
    ([.accounts], "List the accounts, switch, or add another one."),
    ([.signIn], "Sign in."),
    ([.command], "Type a command of the screen."),
    ([.help], "List all keys and commands."),
    ([.askToQuit], "Quit, after a question, if there is nothing to go back to."),
  ]

  private static let contexts: [KeyContext] = [.list, .qwink, .global, .always]

  /// Returns the keys that `keymap` has for the actions. Omits actions without a key.
  static func entries(_ keymap: Keymap) -> [ManualPage.Entry] {
    rows.compactMap { row in
      let keys = row.actions.compactMap { keymap.binding(of: $0, in: contexts)?.keyName }
      return keys.isEmpty ? nil : ManualPage.Entry(term: keys.joined(separator: " "), meaning: row.meaning)
    }
  }
}
