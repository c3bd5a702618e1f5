import QwinkleModel
import QwinkleService
import QwinkleWire

extension ServerAddress {
  /// Parses a typed or saved address. An error is reported as a usage error.
  init(typed text: String) throws(AppError) {
    do throws(ServerAddressError) {
      try self.init(text)
    } catch {
      throw .usage(error.sentence)
    }
  }

  /// A warning for the user before a token is sent. Nil if the connection is encrypted or stays on this machine.
  var warningAboutToken: String? {
    guard scheme == "http", !LoopbackHost.contains(hostName.ascii) else { return nil }
    return "Warning: http sends your token unencrypted. Use https if the server supports it."
  }

  /// Returns an error that suggests plain HTTP, if a request failed because the server doesn't support HTTPS and the
  /// user typed no scheme. Returns other errors unchanged.
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
