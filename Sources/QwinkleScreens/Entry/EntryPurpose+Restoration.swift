import PaneKit
import QwinkleModel
import QwinkleStore

/// Saves and restores the purpose of an open entry across launches. The text is saved with the drafts.
extension EntryPurpose {
  func encode(to state: inout RestorableState) {
    switch self {
    case .new: state["entry"] = "new"
    case .reply(let qwink): (state["entry"], state["entry about"]) = ("reply", qwink.restorableText)
    case .quote(let qwink): (state["entry"], state["entry about"]) = ("quote", qwink.restorableText)
    case .edit(let qwink): (state["entry"], state["entry about"]) = ("edit", qwink.restorableText)
    case .message(let qwinker): (state["entry"], state["entry about"]) = ("message", qwinker.restorableText)
    case .conversation(let conversation):
      (state["entry"], state["entry about"]) = ("conversation", conversation.restorableText)
    }
  }

  /// Decodes the purpose from a restored state, if any.
  init?(_ state: RestorableState) {
    let about = state["entry about"] ?? ""
    let purpose: EntryPurpose? =
      switch state["entry"] {
      case "new": .new
      case "reply": Qwink(restorableText: about).map { .reply(to: $0) }
      case "quote": Qwink(restorableText: about).map { .quote(of: $0) }
      case "edit": Qwink(restorableText: about).map { .edit($0) }
      case "message": Qwinker(restorableText: about).map { .message(to: $0) }
      case "conversation": Conversation(restorableText: about).map { .conversation($0) }
      default: nil
      }
    guard let purpose else { return nil }
    self = purpose
  }
}
