import AsyncHTTPClient
import LibC
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import QwinkleWire

/// The error of an HTTP exchange that received no complete response.
struct HTTPFailure: Error, Equatable {
  var error: TransportError
  /// Whether the head of a response had arrived.
  var hadAnswer: Bool
  /// Whether the server's certificate was rejected. The reason is still unknown: ``CertificateProbe`` determines it.
  var isAboutCertificate = false

  /// Whether the server may have closed a reused connection before the request arrived.
  var isOfStaleConnection: Bool {
    if case .interrupted = error { !hadAnswer } else { false }
  }
}

extension HTTPFailure {
  /// - Parameter socket: The Unix socket of the connection, if it isn't a connection in a network.
  init(_ error: any Error, host: String, socket: SharedSocket? = nil, hadAnswer: Bool) {
    self.init(error: .interrupted(host: host), hadAnswer: hadAnswer)
    switch error {
    case let error as TransportError: self.error = error
    case is CancellationError: self.error = .cancelled
    case let error as HTTPClientError: self.error = HTTPFailure.meaning(of: error, host: host)
    case let error as NIOConnectionError: self.error = HTTPFailure.meaning(of: error, host: host)
    case is SocketAddressError, is SocketAddressError.UnknownHost: self.error = .unknownHost(host)
    case let error as IOError: self.error = HTTPFailure.meaning(of: error, host: host, socket)
    case ChannelError.connectTimeout: self.error = .timedOut(host: host)
    case let error as HTTPParserError:
      self.error = error == .invalidEOFState ? .interrupted(host: host) : .malformed(host: host)
    case is NIOSSLExtraError, NIOSSLError.unableToValidateCertificate:
      self.error = .untrusted(host: host, reason: "its certificate is for a different name")
    case NIOSSLError.noSuchFilesystemObject, NIOSSLError.failedToLoadCertificate:
      self.error = .untrusted(host: host, reason: "the CA file cannot be read")
    case NIOSSLError.handshakeFailed(let error):
      setMeaning(ofHandshake: String(describing: error), host: host)
    case NIOHTTPDecompression.DecompressionError.limit: self.error = .tooLarge(host: host)
    case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
      self.error = .malformed(host: host)
    default: break
    }
  }

  private static func meaning(of error: HTTPClientError, host: String) -> TransportError {
    switch error {
    case .cancelled, .requestStreamCancelled, .alreadyShutdown: .cancelled
    case .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout,
      .tlsHandshakeTimeout:
      .timedOut(host: host)
    case .remoteConnectionClosed, .uncleanShutdown, .bodyLengthMismatch: .interrupted(host: host)
    case .invalidProxyResponse, .httpProxyHandshakeTimeout, .socksHandshakeTimeout:
      .local(reason: ProxyRules.words(ofFailure: "the proxy refused the request"))
    case .proxyAuthenticationRequired:
      .local(reason: ProxyRules.words(ofFailure: "the proxy requires a user name and password"))
    case .invalidURL, .emptyHost, .emptyScheme: .unknownHost(host)
    default: .malformed(host: host)
    }
  }

  private static func meaning(of error: NIOConnectionError, host: String) -> TransportError {
    // Connections to several addresses may fail for different reasons. Report the first error.
    guard let first = error.connectionErrors.first else { return .unknownHost(host) }
    let meaning = HTTPFailure(first.error, host: host, hadAnswer: false).error
    if case .interrupted = meaning { return .refused(host: host) }
    return meaning
  }

  private static func meaning(of error: IOError, host: String, _ socket: SharedSocket?) -> TransportError {
    // An open connection never fails with these errors.
    if let socket, let fault = SharedSocket.fault(ofError: error.errnoCode) {
      return .socket(path: socket.path, fault)
    }
    return switch error.errnoCode {
    case ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, EACCES, EPERM:
      .refused(host: host)
    case ETIMEDOUT: .timedOut(host: host)
    default: .interrupted(host: host)
    }
  }

  /// Sets the error of a failed TLS handshake. `words` is the library's error text, which is the only form in which it
  /// reports the reason.
  private mutating func setMeaning(ofHandshake words: String, host: String) {
    if words.contains("CERTIFICATE_VERIFY_FAILED") {
      error = .untrusted(host: host, reason: "no authority that this machine trusts signed its certificate")
      isAboutCertificate = true
    } else if words.contains("WRONG_VERSION_NUMBER") || words.contains("HTTP_REQUEST") {
      error = .untrusted(host: host, reason: TransportError.noHTTPS)
    } else if !words.contains("EOF during handshake") {
      error = .untrusted(host: host, reason: "it offers no TLS version or cipher that this machine accepts")
    }
  }
}
