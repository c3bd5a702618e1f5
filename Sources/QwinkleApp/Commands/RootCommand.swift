import ArgumentParser

/// `qwinkle` and what stands behind it.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "qwinkle",
    abstract: "Read and write a timeline of short updates in the terminal.",
    discussion: """
      Without a server it runs on its own, in this process: no account, no network. With --server it reads any server that \
      speaks the Mastodon client API: qwinkle --server https://example.org shows it, signed out; with --token-stdin \
      or QWINKLE_TOKEN_COMMAND it is yours.
      """,
    version: "0.1.0",
    subcommands: [ScreenCommand.self, TimelineCommand.self, PostCommand.self, ServeCommand.self],
    defaultSubcommand: ScreenCommand.self)
}

/// Which server, and as whom.
struct ServerOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The server to ask; without it, the embedded service.", valueName: "url"))
  var server: String?

  @Flag(help: "Read the account's token from standard input. QWINKLE_TOKEN_COMMAND names a command that prints it.")
  var tokenStdin = false
}
