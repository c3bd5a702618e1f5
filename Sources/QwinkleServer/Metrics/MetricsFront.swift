import LibC
import NIOCore
import NIOPosix

/// Serves `GET /metrics` on a loopback address or a Unix socket, apart from the ports of the service. Nothing that its
/// clients do uses the service's limits: it has few connections, each for one request and a few seconds.
public struct MetricsFront: Sendable {
  private static let backlog: Int32 = 16

  private let service: Service
  private let metrics: Metrics
  private let address: MetricsAddress
  private let limits: MetricsLimits
  private let connections: MetricsConnections

  public init(_ metrics: Metrics, of service: Service, at address: MetricsAddress) {
    self.init(metrics, of: service, at: address, limits: MetricsLimits())
  }

  init(_ metrics: Metrics, of service: Service, at address: MetricsAddress, limits: MetricsLimits) {
    self.service = service
    self.metrics = metrics
    self.address = address
    self.limits = limits
    connections = MetricsConnections(most: limits.mostConnections)
  }

  /// Listens until the task is cancelled, then closes all connections. Calls `onRunning` when the address accepts
  /// connections, with its port, or zero for a Unix socket.
  ///
  /// - Throws: ``ServiceError`` if the address can't be listened on.
  public func run(onRunning: @escaping @Sendable (Int) -> Void = { _ in }) async throws {
    let (listener, file) = try await listen()
    defer { file?.remove() }
    onRunning(listener.localAddress?.port ?? 0)
    await withTaskCancellationHandler {
      try? await listener.closeFuture.get()
    } onCancel: {
      listener.close(promise: nil)
    }
    connections.closeAll()
  }

  private func listen() async throws -> (any Channel, UnixSocketFile?) {
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: Self.backlog)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: address.isSocket ? 0 : 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler(shouldForwardIOErrorCaught: false))
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { [service, metrics, limits, connections] channel in
        connections.add(channel)
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            MetricsHandler(limits) { await service.text(of: metrics) })
        }
      }
    switch address {
    case .loopback(let host, let port):
      do {
        return (try await bootstrap.bind(host: host, port: port).get(), nil)
      } catch let error as IOError where error.errnoCode == EADDRINUSE {
        throw ServiceError.portInUse(host: host, port: port)
      } catch {
        throw ServiceError.cannotListen(host: host, port: port, reason: String(describing: error))
      }
    case .socket(let path):
      // Only the server's user reads metrics.
      let file = try UnixSocketFile(path: path, backlog: Self.backlog, mode: 0o600)
      do {
        return (try await bootstrap.withBoundSocket(file.descriptor).get(), file)
      } catch {
        file.remove()
        throw ServiceError.socketNotUsable(path: path, reason: String(describing: error))
      }
    }
  }
}

extension MetricsAddress {
  fileprivate var isSocket: Bool {
    if case .socket = self { true } else { false }
  }
}
