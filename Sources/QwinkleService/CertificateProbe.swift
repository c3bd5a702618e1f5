import FoundationEssentials
import NIOCore
import NIOPosix
import NIOSSL

/// Finds out why a server's certificate was rejected, because the TLS library doesn't report the reason. Connects
/// again, reads the certificates and disconnects without sending a request.
struct CertificateProbe: Sendable {
  let origin: Origin
  let group: any EventLoopGroup
  let timeout: TimeAmount

  private struct Validity: Sendable {
    let begin: Date
    let end: Date

    init(_ certificate: NIOSSLCertificate) {
      begin = Date(timeIntervalSince1970: TimeInterval(certificate.notValidBefore))
      end = Date(timeIntervalSince1970: TimeInterval(certificate.notValidAfter))
    }
  }

  /// Returns the reason, as the end of a sentence. Blames the certificate authority if no certificate is received, or
  /// if all are valid now.
  func reason() async -> String {
    // Uses the system time, because the TLS library used it too.
    let now = Date()
    let chain = await certificates()
    if let expired = chain.first(where: { $0.end < now }) {
      return "its certificate expired on \(expired.end.formatted(.iso8601.year().month().day()))"
    }
    if let early = chain.first(where: { $0.begin > now }) {
      return "its certificate is not valid before \(early.begin.formatted(.iso8601.year().month().day()))"
    }
    return "no authority that this machine trusts signed its certificate"
  }

  /// Returns the validity periods of the server's certificates, starting with its own. Empty if none is received in
  /// time.
  private func certificates() async -> [Validity] {
    let loop = group.any()
    let found = loop.makePromise(of: [Validity].self)
    let giveUp = loop.scheduleTask(in: timeout) { found.succeed([]) }
    let connecting = ClientBootstrap(group: loop)
      .connectTimeout(timeout)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          var configuration = TLSConfiguration.makeClientConfiguration()
          configuration.trustRoots = .certificates([])
          let handler = try NIOSSLClientHandler(
            context: NIOSSLContext(configuration: configuration), serverHostname: serverName,
            customVerificationCallback: { certificates, verdict in
              found.succeed(certificates.map { Validity($0) })
              verdict.succeed(.failed)
            })
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
      .connect(host: origin.host, port: origin.port)
    connecting.whenComplete { result in
      switch result {
      case .success(let channel): channel.closeFuture.whenComplete { _ in found.succeed([]) }
      case .failure: found.succeed([])
      }
    }
    let chain = try? await found.futureResult.get()
    giveUp.cancel()
    connecting.whenSuccess { $0.close(promise: nil) }
    return chain ?? []
  }

  /// The host name for SNI. Nil if the host is an IP address, which SNI doesn't support.
  private var serverName: String? {
    (try? SocketAddress(ipAddress: origin.host, port: 0)) == nil ? origin.host : nil
  }
}
