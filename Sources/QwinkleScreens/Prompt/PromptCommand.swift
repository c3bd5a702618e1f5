import FoundationEssentials
import PaneKit
import QwinkleConfig
import QwinkleModel
import QwinkleService

/// A command of the `:` prompt.
struct PromptCommand: Sendable {
  /// The argument after a command's name.
  struct Argument: Sendable {
    /// The kind of words that complete it.
    enum Kind: Sendable {
      case account, hidden, notifications, picture, qwinker, report, setting, tag, timeline, url, view, words
    }

    let kind: Kind
    /// Its placeholder in the help: `NAME`.
    let word: String
    var isOptional = false
  }

  let name: String
  /// Short and former names. They work, but completion and help do not list them.
  var aliases: [String] = []
  var argument: Argument?
  /// One line for the help: "qwinks with this hashtag".
  let summary: String
  /// What a server has to be able to do for it; nil if every server can.
  var ability: Ability?
  /// Runs the command. The argument is empty only if it is optional or there is none.
  let perform: @MainActor @Sendable (PromptSituation, String) -> PromptOutcome

  /// The command with its argument: `:tag NAME`.
  var usage: String {
    guard let argument else { return ":\(name)" }
    return ":\(name) " + (argument.isOptional ? "[\(argument.word)]" : argument.word)
  }
}

/// What commands need to know.
struct PromptSituation {
  var me: Qwinker?
  var isSignedIn = true
  /// The time, after which polls are closed.
  var now: Date
  /// The server's name, for messages.
  var host = ""
  /// The server's rules; nil if they aren't known.
  var rules: [ServerRule]?
  /// What `~` stands for in paths; nil: the environment's home.
  var home: String?
  /// The qwink selected on the screen below the prompt.
  var selectedQwink: Qwink?
  /// The user selected there, such as the owner of a profile.
  var selectedQwinker: Qwinker?
  /// The commands of the user's own.
  var ownCommands: [OwnCommand] = []
  /// The views of the user's own.
  var views: [OwnView] = []
}

/// The outcome of a command.
enum PromptOutcome {
  case show(Place)
  /// An action that a key can perform too.
  case perform(Action)
  case open(WebAddress)
  /// The screen of an account, by its name.
  case showAccount(String)
  case set(ScreenSetting)
  /// The same, and it is written to the configuration.
  case write(ScreenSetting)
  /// The selected qwink goes to a command of the user's own.
  case pipe(OwnCommand)
  /// The screen leaves out other rows than before.
  case choose(PaneChoice)
  /// The configuration is read again.
  case reload
  case say(String)
  /// Something is done to what is selected, or on the server.
  case act(@MainActor (QwinkCommand.Context) -> Void)
  /// The command can't run, for this reason; the prompt stays open.
  case refuse(String)
  /// The server has to look up a user first; `doing` is shown meanwhile.
  case ask(
    Request<Qwinker>, doing: String, then: @MainActor (Qwinker) -> PromptOutcome,
    otherwise: @MainActor (DownloadError) -> String)
}
