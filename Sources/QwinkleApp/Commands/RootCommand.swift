import ArgumentParser

/// `qwinkle` and its subcommands.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "qwinkle",
    abstract: "Read and write a timeline of short updates in the terminal.",
    discussion: """
      With nothing set up it runs on its own, in this process: no account, no network. qwinkle login URL signs in at any \
      server that speaks the Mastodon client API, and from then on `qwinkle` without --as shows it; --as names another account, \
      or local. qwinkle --server URL reads a server without an account.
      """,
    version: "0.1.0",
    subcommands: [
      ScreenCommand.self, TimelineCommand.self, PostCommand.self, ReplyCommand.self, ThreadCommand.self,
      MessagesCommand.self,
      NotificationsCommand.self, SearchCommand.self, LoginCommand.self, LogoutCommand.self, AccountsCommand.self,
      ServeCommand.self, ReplayCommand.self, RecordCommand.self,
    ],
    defaultSubcommand: ScreenCommand.self)
}

/// The server and the account to use.
struct ServerOptions: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "The account to use: NAME@HOST, or NAME where only one is called so, or local for the embedded service.",
      valueName: "account"))
  var account: String?

  @Option(help: ArgumentHelp("A server to ask in place of an account: signed out, or with a token.", valueName: "url"))
  var server: String?

  @Flag(
    help: """
      With --server: read a token from standard input. QWINKLE_TOKEN_COMMAND names a command that prints one.
      """)
  var tokenStdin = false

  /// The options without the parser.
  var choice: SessionChoice {
    SessionChoice(server: server, account: account, takesTokenFromStandardInput: tokenStdin)
  }
}
