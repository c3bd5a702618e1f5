import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// The qwink that a command acts on. It is named by its id, or by its URL as printed by `qwinkle post`.
struct QwinkArgument: ParsableArguments {
  @Argument(help: "The post: its id, shown at the end of its first line in a timeline, or its address.")
  var id: String

  func validate() throws { try Self.check(id) }

  /// Throws if an id is empty. A script passes an empty id if its variable is unset.
  static func check(_ id: String) throws {
    if id.allSatisfy(\.isWhitespace) { throw ValidationError("The id is empty.") }
  }

  var isAddress: Bool { id.contains("://") }

  /// Returns the named qwink.
  ///
  /// - Throws: ``AppError`` if it doesn't exist, or the error of a request.
  @MainActor
  func find(on server: AccountConnection) async throws -> Qwink { try await findSourced(on: server).answer }

  /// Returns the named qwink with its JSON. Throws like ``find(on:)``.
  @MainActor
  func findSourced(on server: AccountConnection) async throws -> Sourced<Qwink> {
    do throws(FindingError) {
      return try await server.sourcedQwink(named: id)
    } catch {
      throw error.raw
    }
  }
}

extension FindingError {
  /// The request's error, or an error that names the missing qwink or user.
  var raw: any Error {
    switch self {
    case .failed(let error): error
    case .noAddress: AppError.usage(sentence)
    case .noQwink, .noQwinker: AppError.failed(sentence)
    }
  }
}
