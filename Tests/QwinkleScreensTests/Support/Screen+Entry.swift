import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import SafeText

extension Screen {
  /// Opens the entry for `purpose`, as a key on a qwink would.
  @discardableResult
  func write(_ purpose: EntryPurpose) throws -> EntryViewController {
    let entry = EntryViewController(
      purpose: purpose, account: account, drafts: account.outgoing, keymap: try Self.keymap())
    main.present(entry)
    strike()
    return entry
  }

  /// The title in the rule over the sheet.
  var sheetTitle: String? {
    guard application.window.topSheet != nil else { return nil }
    return lines.last { $0.hasPrefix("──") && $0.contains { $0.isLetter } }?.split { $0 == "─" }.joined().trimmed()
  }
}
