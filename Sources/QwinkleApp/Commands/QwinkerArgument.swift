import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService

/// The qwinker that a command is about: by handle, or by the address of their profile.
struct QwinkerArgument: ParsableArguments {
  @Argument(help: "The user: @name, @name@host, or the address of a profile.", completion: KnownCompletions.users)
  var user: String

  func validate() throws { try Self.check(user) }

  /// The qwinker it names.
  @MainActor
  func find(on server: AccountConnection) async throws -> Qwinker { try await Self.qwinker(user, from: server) }

  /// The qwinker it names, who is not the user.
  ///
  /// - Throws: ``AppError`` if it is the user: screens refuse that too.
  @MainActor
  func findOther(on server: AccountConnection) async throws -> Qwinker {
    let qwinker = try await find(on: server)
    // Servers refuse it too if the account is unknown here.
    guard qwinker.id != (try? await server.answer(to: .ownAccount))?.qwinker.id else {
      throw AppError.failed(QwinkerWords.notToYourself)
    }
    return qwinker
  }

  static func check(_ text: String) throws {
    guard !text.contains("://"), Handle.reading(text) == nil else { return }
    throw ValidationError("“\(text)” is not a user. Use @name, @name@host, or the address of a profile.")
  }

  /// The qwinker that `text` names.
  ///
  /// - Throws: ``AppError`` if there is none, or the error of a request.
  @MainActor
  static func qwinker(_ text: String, from server: AccountConnection) async throws -> Qwinker {
    do throws(FindingError) {
      return try await server.qwinker(named: text)
    } catch {
      throw error.raw
    }
  }
}

/// As ``QwinkerArgument``, or the user themselves if left out.
struct OptionalQwinkerArgument: ParsableArguments {
  @Argument(
    help: "The user: @name, @name@host, or the address of a profile; you if left out.",
    completion: KnownCompletions.users)
  var user: String?

  func validate() throws { if let user { try QwinkerArgument.check(user) } }

  /// Why an account is needed; nil if a user is named.
  func needsAccount(for activity: String) -> String? { user == nil ? activity : nil }

  @MainActor
  func find(on server: AccountConnection) async throws -> Qwinker {
    guard let user else { return try await server.answer(to: .ownAccount).qwinker }
    return try await QwinkerArgument.qwinker(user, from: server)
  }
}
