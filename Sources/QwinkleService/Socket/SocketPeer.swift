import LibC
import NIOCore
import QwinkleWire

extension SharedSocket {
  /// Checks the files of the socket again, and the server at the other end of a new connection. Closes the connection
  /// if they aren't trusted. Nothing may be sent before the result.
  func check(_ channel: any Channel) -> EventLoopFuture<Void> {
    let path = path
    let checked = serverUser(of: channel).flatMapThrowing { [self] user in
      do throws(SocketFault) {
        if let fault = Self.fault(ofServerBy: user, socketOwner: try owner()) { throw fault }
      } catch {
        throw TransportError.socket(path: path, error)
      }
    }.flatMapErrorThrowing { error in
      // The credentials can't be read if the server has closed the connection already.
      throw error as? TransportError ?? TransportError.socket(path: path, .notListening)
    }
    // Close it only after the HTTP client has dropped the connection, which expects no event before.
    checked.whenFailure { _ in channel.eventLoop.execute { channel.close(promise: nil) } }
    return checked
  }

  /// Returns the uid of the process that listens on the socket.
  private func serverUser(of channel: any Channel) -> EventLoopFuture<UInt32> {
    guard let options = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeFailedFuture(TransportError.socket(path: path, .notListening))
    }
    let credentials: EventLoopFuture<PeerCredentials> = options.unsafeGetSocketOption(
      level: NIOBSDSocket.OptionLevel.socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
    return credentials.map(\.user)
  }
}

/// Holds back a WebSocket's handshake until the server of the socket is trusted.
final class SocketPeerHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let socket: SharedSocket

  init(_ socket: SharedSocket) {
    self.socket = socket
  }

  func channelActive(context: ChannelHandlerContext) {
    socket.check(context.channel).assumeIsolated().whenComplete { result in
      switch result {
      case .success: context.fireChannelActive()
      case .failure(let error): context.fireErrorCaught(error)
      }
    }
  }
}
