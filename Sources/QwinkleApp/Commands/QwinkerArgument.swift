import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService

/// The qwinker that a command acts on: a handle, or the address of a profile.
struct QwinkerArgument: ParsableArguments {
  @Argument(help: "The user: @name, @name@host, or the address of a profile.", completion: KnownCompletions.users)
  var user: String

  func validate() throws { try Self.check(user) }

  @MainActor
  func find(on server: AccountConnection) async throws -> Qwinker { try await Self.qwinker(user, from: server) }

  /// Returns the named qwinker.
  ///
  /// - Throws: ``AppError`` if the qwinker doesn't exist or is the user, or the error of a request. Screens reject the
  ///   user's own account with the same message.
  @MainActor
  func findOther(on server: AccountConnection) async throws -> Qwinker {
    let qwinker = try await find(on: server)
    // If the user's own account can't be fetched, skip this check: the server will reject the request.
    guard qwinker.id != (try? await server.answer(to: .ownAccount))?.qwinker.id else {
      throw AppError.failed(QwinkerWords.notToYourself)
    }
    return qwinker
  }

  static func check(_ text: String) throws {
    guard !text.contains("://"), Handle.reading(text) == nil else { return }
    throw ValidationError("“\(text)” is not a user. Use @name, @name@host, or the address of a profile.")
  }

  /// Returns the qwinker that `text` names.
  ///
  /// - Throws: ``AppError`` if it doesn't exist, or the error of a request.
  @MainActor
  static func qwinker(_ text: String, from server: AccountConnection) async throws -> Qwinker {
    do throws(FindingError) {
      return try await server.qwinker(named: text)
    } catch {
      throw error.raw
    }
  }
}

/// An optional ``QwinkerArgument``. If it is missing, the command acts on the user's own account.
struct OptionalQwinkerArgument: ParsableArguments {
  @Argument(
    help: "The user: @name, @name@host, or the address of a profile; yourself by default.",
    completion: KnownCompletions.users)
  var user: String?

  func validate() throws { if let user { try QwinkerArgument.check(user) } }

  /// Returns `activity` if no user is named, since the command then needs an account. Returns nil otherwise.
  func needsAccount(for activity: String) -> String? { user == nil ? activity : nil }

  @MainActor
  func find(on server: AccountConnection) async throws -> Qwinker {
    guard let user else { return try await server.answer(to: .ownAccount).qwinker }
    return try await QwinkerArgument.qwinker(user, from: server)
  }
}
