import ArgumentParser
import Foundation
import QwinkleService
import QwinkleStore

/// `qwinkle logout [ACCOUNT]`: revokes the token and forgets the account.
struct LogoutCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Sign out: have the server forget the token, then forget the account here.")

  @Argument(help: "The account: NAME@HOST, or NAME where only one is called so; left out, the default account.")
  var account: String?

  @Flag(help: "Forget the account even where the server cannot be asked to forget the token.")
  var force = false

  func validate() throws {
    if account == SessionChoice.local {
      throw ValidationError("The service on this machine needs no sign-in: there is nothing to sign out of.")
    }
  }

  @MainActor
  func start() throws {
    CommandRunner.run {
      let desk = AccountDesk(paths: Paths())
      let account = try chosen(in: try desk.book.load())
      let isRevoked = try await revoke(account, with: desk)
      let kept = try desk.forget(account)
      StandardOutput.print(
        isRevoked
          ? "Signed out of \(account.name). Its token is good for nothing any more."
          : "Signed out of \(account.name): this machine has forgotten it.")
      if let drafts = desk.draftWords(of: account) { StandardOutput.print(drafts) }
      StandardOutput.print("`qwinkle` without --as uses \(kept.defaultName ?? "the service on this machine") now.")
    }
  }

  private func chosen(in kept: KeptAccounts) throws(AppError) -> KeptAccount {
    if let account { return try AccountBook.find(account, in: kept) }
    if let account = kept.defaultAccount { return account }
    guard !kept.accounts.isEmpty else { throw .failed("Nobody is signed in, so there is nothing to sign out of.") }
    throw .usage("Name the account to sign out of: \(kept.accounts.map(\.name).joined(separator: ", ")).")
  }

  /// - Returns: whether the token has been revoked.
  /// - Throws: ``AppError`` if trying again may revoke it, unless `force` is set.
  @MainActor
  private func revoke(_ account: KeptAccount, with desk: AccountDesk) async throws -> Bool {
    do {
      let isRevoked = try await desk.revoke(account)
      if !isRevoked {
        StandardOutput.complain("The token was made elsewhere and stays good: withdraw it where it was made.")
      }
      return isRevoked
    } catch SignInError.cannotRevoke(let host) {
      StandardOutput.complain(SignInError.cannotRevoke(host: host).sentence)
      return false
    } catch {
      let sentence = AppError(error).sentence
      guard force else {
        throw AppError.failed(
          "Not signed out of \(account.name). \(sentence) The token is kept so that it can be given back; "
            + "to forget it all the same: qwinkle logout --force \(account.name)")
      }
      StandardOutput.complain("\(sentence) The token may stay good: withdraw it in the server's settings.")
      return false
    }
  }
}
