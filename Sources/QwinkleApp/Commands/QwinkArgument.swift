import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// The qwink that a command is about: its id, or its URL as `post` prints it.
struct QwinkArgument: ParsableArguments {
  @Argument(help: "The qwink: its id, which ends its first line in a timeline, or its address.")
  var id: String

  /// Whether it is a URL.
  var isAddress: Bool { id.contains("://") }

  /// The qwink it names.
  ///
  /// - Throws: ``AppError`` if there is no such qwink, or the error of a request.
  @MainActor
  func find(on server: AccountConnection) async throws -> Qwink { try await findSourced(on: server).answer }

  /// The qwink it names, and its JSON. Throws as ``find(on:)``.
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
  /// The error of the request, or an error that names the missing qwink or user.
  var raw: any Error {
    switch self {
    case .failed(let error): error
    case .noAddress: AppError.usage(sentence)
    case .noQwink, .noQwinker: AppError.failed(sentence)
    }
  }
}
