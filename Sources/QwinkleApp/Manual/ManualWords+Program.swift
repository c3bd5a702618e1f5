import PaneKit
import QwinkleScreens

/// The beginning and the end of qwinkle(1).
extension ManualWords {
  static let forms = [
    "qwinkle [options]", "qwinkle [options] COMMAND [arguments]", "qwinkle help [COMMAND | TOPIC]",
  ]

  static let description = """
    Qwinkle reads and writes short posts in the terminal: on servers with the Mastodon client API, such as Mastodon, \
    GoToSocial, Akkoma and snac, on a timeline that the users of one host share, or on one that is stored on this \
    machine. Without a command it opens the full screen. Each ability of the screen is a command, too, with plain text \
    or JSON as output.

    Without an account and without a network, the screen shows your own timeline on this machine, or the shared one of \
    this host, and you are signed in as the Unix user. \(Action.compose.key) writes, \(Action.help.key) lists all keys \
    and commands, \(Action.askToQuit.key) quits. To sign in to a server, press \(Action.signIn.key) or run \
    qwinkle login tilde.example. A browser opens, in which you allow Qwinkle. The screen then shows Home, the posts of \
    the accounts that you follow. To read a server without an account: qwinkle --server URL.

    A post waits for some seconds, in which \(Action.undo.key) cancels it. Drafts, queued posts and reading positions \
    survive a crash and a lost connection. Filters, mutes and content warnings apply in every list, command and \
    stream.
    """

  static let screen = """
    The keys that are used most on the screen. \(Action.help.key) lists the keys of the current part of the screen.
    """

  static let configuration = """
    Options are in ~/.config/qwinkle/config.toml. qwinkle config prints all of them with their defaults, and \
    qwinkle config --check the errors. On the screen, :set changes an option until you quit, and :set! also writes it to \
    the file. For example:
    """

  static let shortConfig = """
    density = "compact"
    theme = "night"
    quiet = "22-7"
    """

  static let bugs = """
    The tracker of the project's repository accepts bug reports. SECURITY.md there names the address for \
    vulnerabilities. A recording makes a bug easy to repeat:
    """

  static let bugReport = """
    qwinkle record --cassette bug.har --tape bug.tape
    qwinkle replay bug.tape --interactive
    """

  static let bugReportContents = """
    The files have no tokens, but all that was on your screen and all that you typed. After a crash, the next start \
    names a report in ~/.local/state/qwinkle, which has none of your text. qwinkle doctor checks the terminal, the \
    account and its server, files and databases.
    """
}
