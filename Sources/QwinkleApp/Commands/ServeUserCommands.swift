import ArgumentParser
import Foundation
import QwinkleModel
import QwinkleServer

/// `qwinkle serve users`: lists users, moderates and removes them, and revokes their tokens.
struct ServedUsersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "users", abstract: "List the users.",
    subcommands: [
      List.self, SetRole.self, Suspend.self, Unsuspend.self, Limit.self, Unlimit.self, Remove.self, Release.self,
      Tokens.self, Revoke.self,
    ],
    defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the users: name, role, posts, last post, tokens, disk space, password, uid.")

    @OptionGroup var location: ServiceLocation

    func run() throws {
      try location.using { service in
        for user in try service.users() {
          let last = user.lastPostedAt.map { "last \($0.formatted(.iso8601))" } ?? "no posts yet"
          StandardOutput.print(
            "@\(user.name)\(user.role == .user ? "" : " · \(user.role.rawValue)") · "
              + "\(Counted.words(user.posts, "post")) · \(last) · "
              + "\(Counted.words(user.tokens, "token")) · \(Counted.bytes(user.mediaBytes)) pictures"
              + " · \(Counted.bytes(user.textBytes)) posts\(user.hasPassword ? "" : " · no password")"
              + (user.uid.map { " · uid \($0)" } ?? "") + (user.isSuspended ? " · suspended" : "")
              + (user.isLimited ? " · limited" : ""), wraps: false)
        }
        for user in try service.barredUsersWithoutAccount() {
          StandardOutput.print("uid \(user.uid) · barred, was @\(user.name)", wraps: false)
        }
      }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Delete a user with all their posts. It can't be undone.")

    @Argument(help: "The user's name.")
    var name: String

    @Flag(help: "Confirm that it can't be undone.")
    var yes = false

    @OptionGroup var location: ServiceLocation

    func run() throws {
      try location.using { try $0.checkKnown(name) }
      guard yes else {
        throw AppError.usage(
          "This deletes @\(name) and all their posts, and can't be undone. Back up first: qwinkle serve backup FILE"
            + "\(location.words). Then: qwinkle serve users remove \(name) --yes\(location.words)")
      }
      try location.changing { try $0.removeUser(named: name) }
      StandardOutput.print("@\(name) and their posts are deleted.")
    }
  }

  struct Release: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "release", abstract: "Detach an account from its uid, for a user who has left this host.",
      discussion: """
        Do this before the system gives the uid to another user: that user would get the account. The account, its \
        posts and its tokens stay. The uid of a suspended account stays barred; a second release admits it.
        """)

    @Argument(help: "The user's name.")
    var name: String

    @OptionGroup var location: ServiceLocation

    func run() throws {
      try location.changing { service in
        let isBarred = try service.releaseUnixUser(named: name)
        StandardOutput.print(
          isBarred
            ? "@\(name) no longer belongs to a uid. The uid stays barred, because the account is suspended. To admit "
              + "its next user: qwinkle serve users release \(name)\(location.words)"
            : "@\(name) no longer belongs to a uid. To end its tokens too: "
              + "qwinkle serve users revoke \(name) --all\(location.words)")
      }
    }
  }

  struct Tokens: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "tokens", abstract: "List a user's tokens: id, app, scopes, time.",
      discussion: "The tokens themselves are not stored. Revoke one by its id: qwinkle serve users revoke NAME ID")

    @Argument(help: "The user's name.")
    var name: String

    @OptionGroup var location: ServiceLocation

    func run() throws {
      try location.using { service in
        for token in try service.tokens(of: name) {
          StandardOutput.print(
            "\(token.id) · \(token.app ?? "added with the user") · \(token.scopes) · "
              + token.createdAt.formatted(.iso8601), wraps: false)
        }
      }
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revoke", abstract: "Revoke a user's token, or all of them.")

    @Argument(help: "The user's name.")
    var name: String

    @Argument(help: "The token's id, or its first 4 characters or more.")
    var id: String?

    @Flag(help: "Revoke all tokens: sign the user out everywhere.")
    var all = false

    @OptionGroup var location: ServiceLocation

    func validate() throws {
      guard all != (id != nil) else { throw ValidationError("Name the token's id, or use --all.") }
    }

    func run() throws {
      try location.changing { service in
        let count = try service.revokeTokens(of: name, id: id)
        StandardOutput.print("\(Counted.words(count, "token")) of @\(name) revoked.")
      }
    }
  }
}
