import ArgumentParser
import QwinkleModel

/// `qwinkle` and its subcommands.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "qwinkle",
    abstract: "Read and write a timeline of short posts in the terminal.",
    discussion: """
      Without an account it stores a timeline on this machine and needs no network. On a host with a shared timeline it \
      uses that one, signed in as the Unix user. To use a server that speaks the \
      Mastodon client API, sign in: qwinkle login URL. To read one without an account: qwinkle --server URL.

      qwinkle help TOPIC explains \(HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")).

      --as, --server, --socket and --token-stdin go before or after a command's name, all other options after it. --json prints \
      API entities. Exit status: 0 done, 1 failed, 2 usage error. It is 0 if a change was made but its result can't be \
      printed.
      """,
    version: ProgramVersion.current,
    subcommands: [ScreenCommand.self],
    groupedSubcommands: [
      CommandGroup(
        name: "Read",
        subcommands: [
          TimelineCommand.self, CatchUpCommand.self, ThreadCommand.self, MessagesCommand.self,
          NotificationsCommand.self, FilteredCommand.self, NotificationPolicyCommand.self, SearchCommand.self,
          HistoryCommand.self,
          TranslateCommand.self, OpenCommand.self, StreamCommand.self,
          TrendsCommand.self, AnnouncementsCommand.self, ServerInfoCommand.self,
        ]),
      CommandGroup(
        name: "Write",
        subcommands: [
          PostCommand.self, ReplyCommand.self, QuoteCommand.self, MessageCommand.self, EditCommand.self,
          DeleteCommand.self,
          RedraftCommand.self, DraftsCommand.self, OutboxCommand.self, ScheduledCommand.self,
        ]),
      CommandGroup(
        name: "React",
        subcommands: [
          BoostCommand.self, FavouriteCommand.self, BookmarkCommand.self, VoteCommand.self, PinCommand.self,
          MuteThreadCommand.self, QuotesCommand.self, RevokeQuoteCommand.self, QuotePolicyCommand.self,
        ]),
      CommandGroup(
        name: "Users",
        subcommands: [
          ProfileCommand.self, FollowCommand.self, AcceptCommand.self, RefuseCommand.self, FollowersCommand.self,
          FollowingCommand.self, BoostedByCommand.self, CollectionsCommand.self, CollectionCommand.self,
          FavouritedByCommand.self, RequestsCommand.self,
          RemoveFollowerCommand.self, MuteCommand.self, MutedCommand.self, BlockCommand.self, BlockedCommand.self,
          BlockServerCommand.self, ReportCommand.self, NoteCommand.self,
        ]),
      CommandGroup(
        name: "Lists, hashtags and filters",
        subcommands: [
          ListsCommand.self, ListCommand.self, TagsCommand.self, FollowTagCommand.self, FeatureTagCommand.self,
          FiltersCommand.self, FilterCommand.self, MuteTagCommand.self, FilterPostCommand.self,
          FilterMatchesCommand.self,
        ]),
      CommandGroup(
        name: "Accounts",
        subcommands: [
          LoginCommand.self, LogoutCommand.self, AccountsCommand.self, WhoAmICommand.self, TokenCommand.self,
          ExportCommand.self, ImportCommand.self,
        ]),
      CommandGroup(
        name: "Serve, record and check",
        subcommands: [
          ServeCommand.self, ReplayCommand.self, RecordCommand.self, ResourcesCommand.self, ConfigCommand.self,
          DoctorCommand.self, ManualCommand.self,
        ]),
    ],
    defaultSubcommand: ScreenCommand.self)
}

/// Options that choose the server and the account.
struct ServerOptions: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      """
      The account: NAME@HOST, NAME if only one account has it, shared for the timeline that the users of this host \
      share, or local for your own on this machine.
      """,
      valueName: "account"), completion: KnownCompletions.accounts)
  var account: String?

  @Option(help: ArgumentHelp("A server to use instead of an account: signed out, or with a token.", valueName: "url"))
  var server: String?

  @Option(
    help: ArgumentHelp(
      "The socket of a shared timeline, signed in as the Unix user; by default /run/qwinkle/qwinkle.sock.",
      valueName: "path"), completion: .file())
  var socket: String?

  @Flag(
    help: """
      With --server: read a token from standard input. QWINKLE_TOKEN_COMMAND names a command that prints one.
      """)
  var tokenStdin = false

  var choice: SessionChoice {
    SessionChoice(server: server, account: account, socket: socket, takesTokenFromStandardInput: tokenStdin)
  }
}
