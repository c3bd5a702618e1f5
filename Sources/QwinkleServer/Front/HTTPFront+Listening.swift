import LibC
import NIOCore
import NIOPosix

/// An address that an ``HTTPFront`` listens on.
public enum FrontAddress: Hashable, Sendable {
  /// A host and a port. Port 0 lets the system choose a port.
  case network(host: String, port: Int)
  /// The path of a Unix socket for the users of this host. The server creates the file and deletes it at its end.
  case socket(path: String)
  /// A socket that is already listening. Its clients are users of this host if it is a Unix socket, as with
  /// ``socket(path:)``, and network clients otherwise.
  case inherited(Int32)
}

extension HTTPFront {
  /// Length of the queue of connections not yet accepted.
  private static let backlog: Int32 = 1024

  /// A listening socket, and its file if it is a Unix socket that this process created.
  struct Listener: Sendable {
    let channel: any Channel
    let file: UnixSocketFile?
    /// The port, or nil if the socket has none.
    var port: Int? { channel.localAddress?.port }

    func close() async {
      try? await channel.close()
      file?.remove()
    }
  }

  /// Listens on an address.
  ///
  /// - Throws: ``ServiceError`` if that isn't possible.
  func listener(on address: FrontAddress, _ setup: FrontChannel) async throws -> Listener {
    switch address {
    case .network(let host, let port):
      do {
        return Listener(
          channel: try await bootstrap { setup.setUp($0) }.bind(host: host, port: port).get(), file: nil)
      } catch let error as IOError where error.errnoCode == EADDRINUSE {
        throw ServiceError.portInUse(host: host, port: port)
      } catch {
        throw ServiceError.cannotListen(host: host, port: port, reason: String(describing: error))
      }
    case .socket(let path):
      let file = try UnixSocketFile(path: path, backlog: Self.backlog)
      do {
        return Listener(channel: try await adopt(file.descriptor, setup), file: file)
      } catch {
        file.remove()
        throw ServiceError.socketNotUsable(path: path, reason: String(describing: error))
      }
    case .inherited(let descriptor):
      do {
        return Listener(channel: try await adopt(descriptor, setup), file: nil)
      } catch {
        throw ServiceError.inheritedSocketNotUsable(reason: String(describing: error))
      }
    }
  }

  /// Accepts connections on a socket that is already listening.
  private func adopt(_ descriptor: Int32, _ setup: FrontChannel) async throws -> any Channel {
    let isUnix = SocketActivation.family(of: descriptor) == AF_UNIX
    let channel = try await bootstrap { isUnix ? setup.setUpUnix($0) : setup.setUp($0) }
      .withBoundSocket(descriptor).get()
    // NIO shortened the queue.
    _ = LibC.listen(descriptor, Self.backlog)
    return channel
  }

  private func bootstrap(
    _ setUp: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) -> ServerBootstrap {
    ServerBootstrap(group: front.group)
      .serverChannelOption(.backlog, value: Self.backlog)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          // If no descriptor is free (EMFILE), this handler retries accepting connections every second.
          try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler(shouldForwardIOErrorCaught: false))
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: FrontLimits.mostReadBytes)
      )
      .childChannelInitializer(setUp)
  }
}
