import ArgumentParser
import Foundation
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
  func find(on server: AccountConnection) async throws -> Qwink {
    guard isAddress else { return try await server.answer(to: .qwink(Qwink.ID(id))) }
    guard let address = WebAddress(id) else { throw AppError.usage("“\(id)” is not the address of a qwink.") }
    // Servers look up URLs of other servers too, but some only for signed-in users.
    let results = try? await server.answer(to: .search(address.url, limit: 1))
    if let found = results?.qwinks.first { return found }
    if let id = Self.id(in: address, on: server.serverURL) { return try await server.answer(to: .qwink(id)) }
    throw AppError.failed("Not found: “\(id)” is deleted, not visible to you, or unknown to this server.")
  }

  /// The id at the end of one of the server's own URLs, as most servers write them: `https://tilde.example/@anna/123`.
  static func id(in address: WebAddress, on serverURL: String) -> Qwink.ID? {
    guard let server = WebAddress(serverURL), server.isOnSameHost(as: address) else { return nil }
    let path = address.target.split { $0 == "?" || $0 == "#" }.first ?? ""
    guard let last = path.split(separator: "/").dropFirst(2).last,
      last.utf8.allSatisfy({ byte in byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || isAlphanumeric(byte) })
    else { return nil }
    return Qwink.ID(String(last))
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }
}
