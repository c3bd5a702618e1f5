import FoundationEssentials
import PaneKit
import QwinkleConfig
import QwinkleModel
import QwinkleService

/// A command of the `:` prompt.
struct PromptCommand: Sendable {
  /// The argument after a command's name.
  struct Argument: Sendable {
    /// The kind of argument, which decides the completions.
    enum Kind: Sendable {
      case account, hidden, layout, notifications, picture, quotePolicy, qwinker, report, setting, tag, timeline, url,
        view,
        words
    }

    let kind: Kind
    /// The argument's placeholder in the help, such as `NAME`.
    let word: String
    var isOptional = false
  }

  let name: String
  /// Short and former names. They work, but completion and help don't list them.
  var aliases: [String] = []
  var argument: Argument?
  /// One line for the help, such as "qwinks with this hashtag". Empty if ``action`` has a description in the keymap.
  var summary = ""
  /// The action that the command performs, if the action also has a key.
  var action: Action?
  /// The feature that the server must support, if the command depends on one.
  var ability: Ability?
  /// Runs the command. The argument is empty if the user typed none.
  let perform: @MainActor @Sendable (PromptSituation, String) -> PromptOutcome

  /// The feature without which help and completion omit the command. Some commands then still work for drafts and
  /// unsent messages.
  var usualAbility: Ability? { ability ?? action?.ability }

  /// Returns one line for the help.
  func summary(in keymap: Keymap) -> String {
    summary.isEmpty ? action.flatMap { keymap.binding(of: $0) }?.summary ?? "" : summary
  }

  /// The command with its argument: `:tag NAME`.
  var usage: String {
    guard let argument else { return ":\(name)" }
    return ":\(name) " + (argument.isOptional ? "[\(argument.word)]" : argument.word)
  }
}

/// The state that commands depend on.
struct PromptSituation {
  var me: Qwinker?
  var isSignedIn = true
  /// The current time, which decides whether a poll is closed.
  var now: Date
  /// The server's name, for messages.
  var host = ""
  /// The server's rules, or nil if they aren't loaded.
  var rules: [ServerRule]?
  /// The folder for `~` in paths. Nil means the environment's home folder.
  var home: String?
  /// The qwink selected on the screen below the prompt.
  var selectedQwink: Qwink?
  /// The selected user, such as the author of the selected qwink or the owner of the profile below the prompt.
  var selectedQwinker: Qwinker?
  var ownCommands: [OwnCommand] = []
  var views: [OwnView] = []
}

extension PromptOutcome {
  /// Whether the command wasn't run because no qwink or user is selected.
  var needsSelection: Bool {
    if case .refuse(let reason) = self {
      reason == PromptWords.noQwink || reason == PromptWords.noAuthor
    } else {
      false
    }
  }
}

/// The outcome of a command.
enum PromptOutcome {
  case show(Place)
  /// Performs an action that also has a key. The string is the command's name, for the message if the action isn't
  /// possible.
  case perform(Action, String)
  case open(WebAddress)
  /// Switches to the account with this name.
  case showAccount(String)
  case set(ScreenSetting)
  /// Like `set`, and also writes the setting to the configuration file.
  case write(ScreenSetting)
  /// Pipes the selected qwink to one of the user's own commands, or to a shell command that the user typed.
  case pipe(OwnCommand)
  /// Changes the rows that the screen below the prompt hides.
  case choose(PaneChoice)
  /// Reloads the configuration.
  case reload
  /// Runs a closure with the current context, for example to mute a user or follow a hashtag.
  case act(@MainActor (QwinkCommand.Context) -> Void)
  /// Shows the value of an option, or the values of all options if nil.
  case describe(ConfigKey?)
  /// The command can't run for this reason.
  case refuse(String)
  /// Fetches a user from the server, then continues with the outcome of `then`. `doing` is shown while the request
  /// runs. If it fails, `otherwise` returns the error message.
  case ask(
    Request<Qwinker>, doing: String, then: @MainActor (Qwinker) -> PromptOutcome,
    otherwise: @MainActor (DownloadError) -> String)
}
