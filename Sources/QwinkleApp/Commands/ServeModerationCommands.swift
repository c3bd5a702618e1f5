import ArgumentParser
import QwinkleServer

/// An option `--reason`.
protocol ReasonArgument: ParsableArguments {
  var reason: String { get }
}

/// The option `--reason` of commands that the audit log records.
struct ReasonOption: ReasonArgument {
  @Option(help: ArgumentHelp("The reason, for the log.", valueName: "text"))
  var reason = ""
}

/// The option `--reason` of commands that notify the user.
struct ShownReasonOption: ReasonArgument {
  @Option(help: ArgumentHelp("The reason, for the log and the user, who is notified.", valueName: "text"))
  var reason = ""
}

/// The arguments of commands that restrict a user, or undo it.
struct ModeratedUser<Reason: ReasonArgument>: ParsableArguments {
  @Argument(help: "The user's name.")
  var name: String

  @OptionGroup var reason: Reason
  @OptionGroup var location: ServiceLocation

  /// Changes the user by `change`, which receives the name and the reason, and prints the user's new state. Also prints
  /// the command that undoes it, if `undo` is its name.
  func set(
    _ state: String, undo: String? = nil, by change: (Service, _ name: String, _ reason: String) throws -> Void
  ) throws {
    try location.changing { try change($0, name, reason.reason) }
    let words = undo.map { " To undo: qwinkle serve users \($0) \(name)\(location.words)" } ?? ""
    StandardOutput.print("@\(name) is \(state).\(words)")
  }
}

extension ServedUsersCommand {
  struct SetRole: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "role", abstract: "Make a user an operator, or an ordinary user again.",
      discussion: """
        Moderators and admins are notified of reports and can moderate in apps. Moderators can't act against operators. \
        Admins can act against moderators.
        """)

    @Argument(help: "The user's name.")
    var name: String

    @Argument(help: "moderator, admin or user.", completion: .list(OperatorRole.allCases.map(\.rawValue)))
    var role: String

    @OptionGroup var location: ServiceLocation

    func validate() throws {
      guard OperatorRole(rawValue: role) != nil else {
        throw ValidationError("The role must be moderator, admin or user, not “\(role)”.")
      }
    }

    func run() throws {
      guard let role = OperatorRole(rawValue: role) else { return }
      try location.changing { try $0.setRole(of: name, to: role) }
      StandardOutput.print("@\(name) is now \(role == .user ? "an ordinary user" : "an operator: \(role.rawValue)").")
    }
  }

  struct Suspend: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "suspend", abstract: "Hide a user and all their posts from everyone, and sign them out.")

    @OptionGroup var user: ModeratedUser<ReasonOption>

    func run() throws {
      try user.set("suspended", undo: "unsuspend") { try $0.setSuspension(of: $1, to: true, reason: $2) }
    }
  }

  struct Unsuspend: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unsuspend", abstract: "Show a suspended user and their posts again.")

    @OptionGroup var user: ModeratedUser<ReasonOption>

    func run() throws {
      try user.set("no longer suspended") { try $0.setSuspension(of: $1, to: false, reason: $2) }
    }
  }

  struct Limit: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "limit", abstract: "Show a user's posts and notifications only to their followers.",
      discussion: """
        Everyone else finds the posts only on the user's profile and in threads. Conversations continue. The user is \
        notified.
        """)

    @OptionGroup var user: ModeratedUser<ShownReasonOption>

    func run() throws {
      try user.set("limited", undo: "unlimit") { try $0.setLimit(of: $1, to: true, reason: $2) }
    }
  }

  struct Unlimit: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unlimit", abstract: "Show a limited user's posts to everyone again.")

    @OptionGroup var user: ModeratedUser<ReasonOption>

    func run() throws {
      try user.set("no longer limited") { try $0.setLimit(of: $1, to: false, reason: $2) }
    }
  }
}

/// `qwinkle serve delete-post ID`
struct DeletePostCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete-post", abstract: "Delete a user's post with its pictures. It can't be undone.",
    discussion: "The author is notified. For the ids of a report's posts: qwinkle serve reports show ID")

  @Argument(help: "The post's id.")
  var id: String

  @OptionGroup var reason: ShownReasonOption
  @OptionGroup var location: ServiceLocation

  func run() throws {
    try location.changing { try $0.deletePost(id, reason: reason.reason) }
    StandardOutput.print("Post \(id) is deleted.")
  }
}
