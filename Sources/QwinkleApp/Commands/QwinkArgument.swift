import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// Finds the qwink that a command names: by its id, or by its URL as `post` prints it.
enum QwinkArgument {
  /// The qwink that `text` names.
  ///
  /// - Throws: ``AppError`` if there is no such qwink, or the error of a request.
  @MainActor
  static func qwink(_ text: String, from server: AccountConnection) async throws -> Qwink {
    guard text.contains("://") else { return try await server.answer(to: .qwink(Qwink.ID(text))) }
    guard let address = WebAddress(text) else { throw AppError.usage("“\(text)” is no address of a qwink.") }
    // Servers look up URLs of other servers too, but some only for signed-in users.
    let results = try? await server.answer(to: .search(address.url, limit: 1))
    if let found = results?.qwinks.first { return found }
    if let id = id(in: address, on: server.serverURL) { return try await server.answer(to: .qwink(id)) }
    throw AppError.failed(
      "Not found: “\(text)”. The server does not know that address, or does not tell you. Try the qwink's id.")
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
