import QwinkleModel
import QwinkleService
import QwinkleWire

extension ServerAddress {
  /// Reads an address that the user typed or that was saved.
  init(typed text: String) throws(AppError) {
    do throws(ServerAddressError) {
      try self.init(text)
    } catch {
      throw .usage(error.sentence)
    }
  }

  /// A warning to show before sending a token to another machine in plain text; nil if it is encrypted or stays here.
  var warningAboutToken: String? {
    guard scheme == "http", !LoopbackHost.contains(hostName.ascii) else { return nil }
    return "Warning: http sends your token unencrypted. Use https if the server supports it."
  }

  /// `error` of a request there, with what to write for a server without TLS, if that is why.
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
