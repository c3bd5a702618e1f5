import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import SafeText

/// Edits the user's policy for notifications in a sheet, with a field for each rule of the server.
@MainActor
final class NotificationPolicySheet: FormSheet {
  private let account: Account
  private let policy: NotificationPolicy
  private let saved: @MainActor (NotificationPolicy) -> Void

  init(
    _ policy: NotificationPolicy, account: Account, keymap: Keymap,
    saved: @escaping @MainActor (NotificationPolicy) -> Void
  ) {
    self.account = account
    self.policy = policy
    self.saved = saved
    super.init(
      title: FilteredWords.policyTitle,
      fields: policy.groups.map { group in
        Field(
          label: FilteredWords.label(of: group), text: policy.treatments[group]?.name ?? "",
          help: FilteredWords.help(of: group))
      }, keymap: keymap)
  }

  override var texts: [String] { super.texts.map { $0.trimmed() } }

  /// Sends only the rules that the user changed, so that a value unknown to this program stays unchanged.
  override func accept() {
    var changes: [NotificationPolicy.Group: NotificationPolicy.Treatment] = [:]
    for (group, text) in zip(policy.groups, texts) {
      guard text != policy.treatments[group]?.name else { continue }
      let treatment = NotificationPolicy.Treatment(text.lowercased())
      guard NotificationPolicy.Treatment.choices.contains(treatment) else {
        return fail(FilteredWords.noTreatment(text, of: group))
      }
      changes[group] = treatment
    }
    guard !changes.isEmpty else { return dismiss() }
    send(.changeNotificationPolicy(changes), from: account, doing: FilteredWords.savingPolicy, then: saved)
  }
}
