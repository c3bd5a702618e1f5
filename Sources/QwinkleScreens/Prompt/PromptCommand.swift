import PaneKit
import QwinkleModel
import QwinkleService

/// A command of the `:` prompt.
struct PromptCommand: Sendable {
  /// What stands behind a command's name.
  struct Argument: Sendable {
    /// What it is, where something is known that can complete it.
    enum Kind: Sendable { case account, qwinker, setting, tag, timeline, url, words }

    let kind: Kind
    /// `NAME`, for the help.
    let word: String
    var isOptional = false
  }

  let name: String
  /// Short names for hands that know them from elsewhere.
  var aliases: [String] = []
  var argument: Argument?
  /// What it does, for the help: "a tag's timeline".
  let summary: String
  /// What it comes to. The argument is empty only where it is optional or there is none.
  let perform: @MainActor @Sendable (PromptSituation, String) -> PromptOutcome

  /// `:tag NAME`.
  var usage: String {
    guard let argument else { return ":\(name)" }
    return ":\(name) " + (argument.isOptional ? "[\(argument.word)]" : argument.word)
  }
}

/// What commands may look at.
struct PromptSituation {
  var me: Qwinker?
  var isSignedIn = true
  /// Who is asked, for people.
  var host = ""
  /// The qwink that the keys were about when the prompt opened.
  var selectedQwink: Qwink?
}

/// What a command comes to.
enum PromptOutcome {
  case show(Place)
  /// Something that a key could have asked for too.
  case perform(Action)
  case open(WebAddress)
  case set(ScreenSetting)
  case say(String)
  /// It cannot be done, for this reason; the prompt stays open.
  case refuse(String)
  /// The server has to be asked first who somebody is. `doing` says so meanwhile.
  case ask(
    Request<Qwinker>, doing: String, then: @MainActor (Qwinker) -> PromptOutcome,
    otherwise: @MainActor (DownloadError) -> String)
}
