import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import SafeText

/// Edits the user's policy for notifications in a sheet. Has a field for each rule of the server.
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

  override var texts: [String] { super.texts.map { $0.trimmed().lowercased() } }

  /// Sends only the rules that the user changed, so that a rule with a value unknown to this program stays as it is.
  override func accept() {
    var changes: [NotificationPolicy.Group: NotificationPolicy.Treatment] = [:]
    for (group, text) in zip(policy.groups, texts) {
      let treatment = NotificationPolicy.Treatment(text)
      guard treatment != policy.treatments[group] else { continue }
      guard NotificationPolicy.Treatment.choices.contains(treatment) else {
        return fail(FilteredWords.noTreatment(text, of: group))
      }
      changes[group] = treatment
    }
    guard !changes.isEmpty else { return dismiss() }
    send(.changeNotificationPolicy(changes), from: account, doing: FilteredWords.savingPolicy, then: saved)
  }
}
