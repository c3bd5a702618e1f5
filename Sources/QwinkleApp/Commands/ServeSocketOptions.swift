import ArgumentParser
import QwinkleServer

/// Options of `qwinkle serve` for the Unix socket.
struct ServeSocketOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Serve all users of this host on the Unix socket PATH, without passwords. HTTP needs --bind then.",
      valueName: "path"),
    completion: .file())
  var socket: String?

  @Option(
    help: ArgumentHelp("Allow only members of this group on the socket. Can be repeated.", valueName: "group"))
  var allowGroup: [String] = []

  @Option(
    help: ArgumentHelp(
      "Refuse members of this group on the socket, even of an allowed group. Can be repeated.", valueName: "group"))
  var denyGroup: [String] = []

  /// Returns the users who are allowed on the socket.
  func access() throws(ServiceError) -> UnixAccess {
    try UnixAccess(allowedGroups: allowGroup, deniedGroups: denyGroup)
  }

  /// Returns the addresses to listen on. Inherited sockets replace addresses of their kind.
  ///
  /// - Parameter network: The address of `--bind`, or nil if it wasn't given.
  /// - Throws: ``AppError`` if groups are given without a Unix socket.
  func addresses(network: FrontAddress?, inherited: SocketActivation.Sockets) throws(AppError) -> [FrontAddress] {
    let unix = inherited.unix.map { FrontAddress.inherited($0) } ?? socket.map { .socket(path: $0) }
    let http = inherited.network.map { FrontAddress.inherited($0) } ?? network
    if let unix { return [unix] + (http.map { [$0] } ?? []) }
    guard allowGroup.isEmpty, denyGroup.isEmpty else {
      throw .usage("--allow-group and --deny-group apply to the users of a socket. Add --socket PATH.")
    }
    return [http ?? ServeSocketOptions.usual]
  }

  /// The path of the socket, if any.
  func path(inherited: SocketActivation.Sockets) -> String? {
    inherited.unix.map { SocketActivation.path(of: $0) ?? "an inherited socket" } ?? socket
  }

  /// The address without options.
  static let usual = FrontAddress.network(host: "127.0.0.1", port: 8420)
}
