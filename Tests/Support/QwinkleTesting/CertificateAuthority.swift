import Foundation

/// A certificate authority for one test, created with `openssl` in a directory that is deleted with this object.
public final class CertificateAuthority: Sendable {
  /// A flaw of a server's certificate.
  public enum Flaw: Sendable {
    case none
    case expired
    /// Issued for `other.example`.
    case wrongName
  }

  /// Paths to the PEM files of a server's certificate and private key.
  public struct ServerCertificate: Sendable {
    public let certificate: String
    public let key: String
  }

  private let directory: URL

  /// Path to the authority's certificate, a PEM file that clients must trust.
  public var certificate: String { directory.appending(path: "ca.pem").path }

  /// Creates an authority called `name`.
  ///
  /// - Throws: ``Shell/Failure`` if `openssl` is missing or fails, or a file system error.
  public init(name: String = "Qwinkle test authority") throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "qwinkle-ca-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try run(
      ["req", "-x509", "-days", "30", "-subj", "/CN=\(name)", "-keyout", "ca.key", "-out", "ca.pem"] + Self.newKey)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  /// Signs a certificate for `localhost` and the loopback addresses, with `flaw`.
  public func serverCertificate(_ flaw: Flaw = .none) throws -> ServerCertificate {
    let name = UUID().uuidString
    let names = flaw == .wrongName ? "DNS:other.example" : "DNS:localhost,IP:127.0.0.1,IP:::1"
    try Data("subjectAltName=\(names)\n".utf8).write(to: directory.appending(path: "\(name).ext"))
    try run(["req", "-new", "-subj", "/CN=server", "-keyout", "\(name).key", "-out", "\(name).csr"] + Self.newKey)
    try run([
      "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
      "-days", flaw == .expired ? "-1" : "30", "-extfile", "\(name).ext", "-out", "\(name).pem",
    ])
    return ServerCertificate(
      certificate: directory.appending(path: "\(name).pem").path, key: directory.appending(path: "\(name).key").path)
  }

  private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

  private func run(_ arguments: [String]) throws {
    let words = ([directory.path, "openssl"] + arguments).map { "'\($0)'" }
    try Shell.output(of: "cd \(words[0]) && \(words[1...].joined(separator: " ")) 2>/dev/null")
  }
}
