import Foundation
import QwinkleReplay
import Timekeeping

/// Reads cassettes (recorded requests and responses) from files.
enum CassetteFile {
  /// Reads a cassette.
  ///
  /// - Throws: ``AppError`` if the cassette can't be read.
  static func read(_ path: String) throws(AppError) -> Cassette {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .usage("Cannot read “\(path)”. Check that it exists and its permissions.")
    }
    do {
      return try Cassette(har: Array(data))
    } catch {
      throw .usage("“\(path)”: \(error.sentence)")
    }
  }

  /// Returns a recorded server for a stage. The server answers requests with the responses in `cassette`.
  ///
  /// - Throws: ``AppError`` if the cassette is empty, or the URL of its first request is malformed.
  static func server(_ cassette: Cassette) throws(AppError) -> AppStage.Recorded {
    guard let first = cassette.entries.first, let parts = URLComponents(string: first.request.url),
      let scheme = parts.scheme, let host = parts.host
    else { throw .usage("This cassette is empty.") }
    let isSignedIn = cassette.entries.contains { entry in
      entry.request.headers.contains { $0.name.lowercased() == "authorization" }
    }
    let hasOthers = cassette.entries.contains { entry in
      URLComponents(string: entry.request.url).map { $0.host != host } ?? false
    }
    let transport = CassetteTransport(cassette)
    return AppStage.Recorded(
      server: "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? ""), isSignedIn: isSignedIn,
      hasOthers: hasOthers, transport: { transport })
  }
}
