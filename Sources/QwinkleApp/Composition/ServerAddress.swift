import QwinkleModel
import QwinkleService
import QwinkleWire

extension ServerAddress {
  /// Parses an address that the user typed or that was saved.
  init(typed text: String) throws(AppError) {
    do throws(ServerAddressError) {
      try self.init(text)
    } catch {
      throw .usage(error.sentence)
    }
  }

  /// A warning to show before a token is sent to another machine unencrypted. Nil if the connection is encrypted or
  /// local.
  var warningAboutToken: String? {
    guard scheme == "http", !LoopbackHost.contains(hostName.ascii) else { return nil }
    return "Warning: http sends your token unencrypted. Use https if the server supports it."
  }

  /// Adds advice to the `error` of a request if the server doesn't support TLS.
  func explained(_ error: any Error) -> any Error {
    let download: DownloadError? =
      switch error {
      case SignInError.server(let error): error
      case let error as DownloadError: error
      default: nil
      }
    guard assumesHTTPS, case .transport(.untrusted(_, TransportError.noHTTPS)) = download else { return error }
    return AppError.failed("\(host) does not speak HTTPS. For plain HTTP, write http://\(host).")
  }
}
