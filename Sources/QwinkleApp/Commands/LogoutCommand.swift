import ArgumentParser
import Foundation
import QwinkleService
import QwinkleStore

/// `qwinkle logout [ACCOUNT]`: revokes the token and removes the account.
struct LogoutCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Sign out: revoke the token and remove the account.")

  @Argument(
    help: "The account: NAME@HOST, or NAME if only one account has it; by default the default account.",
    completion: KnownCompletions.signedIn)
  var account: String?

  @Flag(help: "Remove the account even if the token cannot be revoked.")
  var force = false

  func validate() throws {
    if account == SessionChoice.local {
      throw ValidationError("The timeline on this machine needs no sign-in. Name another account.")
    }
    if account == SharedTimeline.name {
      throw ValidationError("The shared timeline needs no sign-in. Name another account.")
    }
  }

  func start() throws {
    CommandRunner.run {
      let stage = CommandStage.current ?? CommandStage()
      let desk = AccountManager(paths: stage.paths, transport: stage.transport)
      let former = try desk.book.load()
      let account = try chosen(in: former)
      let name = former.words(of: account.name)
      let isRevoked = try await revoke(account, with: desk)
      let saved = try await desk.forget(account)
      StandardOutput.print(
        isRevoked
          ? "Signed out of \(name). Its token has been revoked."
          : "Signed out of \(name).")
      if let drafts = desk.draftWords(of: account) { StandardOutput.print(drafts) }
      guard former.defaultName == account.name else { return }
      let usual = desk.book.defaultWords(in: saved)
      let isLocal = usual == SessionChoice.local
      StandardOutput.print("The default account is now \(usual)\(isLocal ? ", the timeline on this machine" : "").")
      if saved.defaultName != nil { StandardOutput.print("To change it: qwinkle accounts --default NAME") }
    }
  }

  private func chosen(in saved: SavedAccounts) throws(AppError) -> SavedAccount {
    if let account { return try AccountBook.find(account, in: saved) }
    if let account = saved.defaultAccount { return account }
    guard !saved.accounts.isEmpty else { throw .failed("No account is signed in.") }
    throw .usage("Which account? \(saved.accounts.map { saved.words(of: $0.name) }.joined(separator: ", ")).")
  }

  /// Revokes the account's token.
  ///
  /// - Returns: Whether the server has revoked the token.
  /// - Throws: ``AppError`` if revoking failed but may succeed later. If `force` is set, prints the error instead.
  @MainActor
  private func revoke(_ account: SavedAccount, with desk: AccountManager) async throws -> Bool {
    do {
      let isRevoked = try await desk.revoke(account)
      if !isRevoked {
        StandardOutput.complain("The token was created elsewhere and is still valid. Revoke it where it was created.")
      }
      return isRevoked
    } catch SignInError.cannotRevoke(let host) {
      StandardOutput.complain(SignInError.cannotRevoke(host: host).sentence)
      return false
    } catch {
      let sentence = AppError(error).sentence
      guard force else {
        throw AppError.failed(
          "Not signed out of \(account.words). \(sentence) To remove the account anyway: "
            + "qwinkle logout --force \(account.name)")
      }
      StandardOutput.complain("\(sentence) The token may still be valid. Revoke it in the server's settings.")
      return false
    }
  }
}
