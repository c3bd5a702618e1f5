import PaneKit
import QwinkleModel
import QwinkleStore

/// What an open entry is for, from run to run. Its text is among the drafts.
extension EntryPurpose {
  func encode(to state: inout RestorableState) {
    switch self {
    case .new: state["entry"] = "new"
    case .reply(let qwink): (state["entry"], state["entry about"]) = ("reply", qwink.restorableText)
    case .edit(let qwink): (state["entry"], state["entry about"]) = ("edit", qwink.restorableText)
    case .message(let qwinker): (state["entry"], state["entry about"]) = ("message", qwinker.restorableText)
    case .conversation(let conversation):
      (state["entry"], state["entry about"]) = ("conversation", conversation.restorableText)
    }
  }

  /// The purpose in a restored state; nil if there is none.
  init?(_ state: RestorableState) {
    let about = state["entry about"] ?? ""
    let purpose: EntryPurpose? =
      switch state["entry"] {
      case "new": .new
      case "reply": Qwink(restorableText: about).map { .reply(to: $0) }
      case "edit": Qwink(restorableText: about).map { .edit($0) }
      case "message": Qwinker(restorableText: about).map { .message(to: $0) }
      case "conversation": Conversation(restorableText: about).map { .conversation($0) }
      default: nil
      }
    guard let purpose else { return nil }
    self = purpose
  }
}
