/// The shell examples of the manual. A test runs each of them as printed.
enum ManualExamples {
  struct Example: Hashable {
    /// A sentence about the example, which ends with a colon.
    let about: String
    /// Lines for the shell.
    let lines: String
  }

  struct Group: Hashable {
    let title: String
    let examples: [Example]
  }

  /// The groups of qwinkle(1).
  static let groups = [
    Group(
      title: "Reading",
      examples: [
        Example(about: "The five newest posts of Home:", lines: "qwinkle timeline home --limit 5"),
        Example(
          about: "All posts of the last twelve hours, by thread:",
          lines: "qwinkle catchup --hours 12 --view threads"),
        Example(
          about: "The local timeline of a server where you have no account:",
          lines: "qwinkle timeline local --server https://tilde.example"),
        Example(about: "Posts, users and hashtags that match a word:", lines: "qwinkle search frost"),
      ]),
    Group(
      title: "Posting",
      examples: [
        Example(about: "A post, with the audience that the server suggests:", lines: "qwinkle post 'Frost tonight.'"),
        Example(
          about: "Text from another program, left out of public timelines:",
          lines: "echo 'Frost on the allotment.' | qwinkle post --visibility unlisted"),
        Example(
          about: "A post that the outbox sends once there is a network:",
          lines: "qwinkle post --queue 'On the night train.'"),
        Example(
          about: "A post that the server publishes in two hours:", lines: "qwinkle post --at 2h 'The soup is ready.'"),
      ]),
    Group(
      title: "Scripting",
      examples: [
        Example(
          about: "The addresses of the posts of the last two hours:",
          lines: "qwinkle timeline home --since 2h --json | jq -r '.[].url'"),
        Example(
          about: "A post and a reply to it:",
          lines: """
            id=$(qwinkle post --json 'Beans: first row sown.' | jq -r .id)
            qwinkle reply "$id" 'Second row sown.'
            """),
        Example(about: "Posts with a hashtag, as they arrive:", lines: "qwinkle stream '#garden'"),
        Example(
          about: "Another text if the account can't be used, by the exit status:",
          lines: "qwinkle whoami || echo 'sign in first'"),
      ]),
    Group(
      title: "Several accounts",
      examples: [
        Example(
          about: "Sign in to the server of your handle. The first account is the default:",
          lines: "qwinkle login @anna@tilde.example"),
        Example(about: "One command as another account:", lines: "qwinkle timeline home --as anna"),
        Example(about: "Another default account, and the list of all:", lines: "qwinkle accounts --default anna"),
      ]),
    Group(
      title: "Serving",
      examples: [
        Example(
          about: "A user for your timeline, and the server, on a port of this machine:",
          lines: """
            qwinkle serve add-user mara
            qwinkle serve --bind 127.0.0.1:8420
            """)
      ]),
    Group(
      title: "Shared host",
      examples: [
        Example(
          about: "A timeline for all users of this host, without passwords:",
          lines: "qwinkle serve --socket /run/qwinkle/qwinkle.sock"),
        Example(
          about: "The same timeline as a client, for a user with other accounts:",
          lines: "qwinkle timeline public --as shared"),
      ]),
  ]

  /// The examples of qwinkle-serve(8).
  static let serving = [
    Example(
      about: "A server behind a TLS proxy on the same machine, with its public address:",
      lines: """
        qwinkle serve add-user mara --data /srv/qwinkle
        qwinkle serve --data /srv/qwinkle --origin https://qwinkle.example --trusted-proxy 127.0.0.1
        """),
    Example(
      about: "The users, and the space that each of them needs:", lines: "qwinkle serve users --data /srv/qwinkle"),
    Example(
      about: "A backup while the server runs, and a check of it:",
      lines: """
        qwinkle serve backup --data /srv/qwinkle /srv/backup.sqlite
        qwinkle serve check /srv/backup.sqlite
        """),
    Example(
      about: "A timeline for the members of one group of this host:",
      lines: "qwinkle serve --socket /run/qwinkle/qwinkle.sock --allow-group users"),
  ]

  /// The examples of the pages about files.
  static let files = [
    Example(about: "Errors in config.toml and keys.txt, with line and column:", lines: "qwinkle config --check"),
    Example(
      about: "A theme of your own, made from a built-in one:",
      lines: "qwinkle config --theme night > ~/.config/qwinkle/theme.txt"),
  ]

  /// All examples, each of which a test runs.
  static var all: [Example] { groups.flatMap(\.examples) + serving + files }
}
