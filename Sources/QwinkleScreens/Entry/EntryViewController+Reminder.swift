import PaneKit
import QwinkleModel

/// The reminder of files without a description.
extension EntryViewController {
  /// Returns true if the user must first answer a question about files without a description. The entry is sent only if
  /// the user agrees, and is unchanged otherwise. Each file is in one question at most.
  func asksForDescriptions() -> Bool {
    guard remindsOfDescriptions else { return false }
    let files = attachments.undescribed.filter { !undescribedAgreed.contains($0.key) }
    guard let first = files.first else { return false }
    // Another attempt to send while the question is open must not ask twice.
    guard reminder == nil else { return true }
    // An entry that waited for an upload is sent later. The user's key must not answer another question.
    guard window?.topSheet === self else {
      composer.fail(EntryFileWords.undescribed(attachments.undescribed.count))
      return true
    }
    let describe = ConfirmViewController.OtherAnswer(key: "d", word: EntryFileWords.describe) { [weak self] in
      self?.beginDescribing(first)
    }
    let question = ConfirmViewController(
      question: EntryFileWords.undescribed(attachments.undescribed.count), again: nil, other: describe
    ) { [weak self] in
      guard let self else { return }
      undescribedAgreed.formUnion(files.map(\.key))
      composer.send()
    }
    question.dismissed = { [weak self] in self?.reminder = nil }
    reminder = question
    present(question)
    return true
  }

  /// Direct messages have few readers, who can ask. The files of a posted qwink can't be described here.
  private var remindsOfDescriptions: Bool {
    settings?.remindsOfAltText ?? false && composer.entry.visibility != .direct && !purpose.isEdit
  }
}
