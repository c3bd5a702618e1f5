import ArgumentParser
import QwinkleServer
import Timekeeping

/// The option of `qwinkle serve` for monitoring.
struct MetricsOptions: ParsableArguments {
  @Option(
    name: .customLong("metrics"),
    help: ArgumentHelp(
      "Serve metrics for Prometheus at this loopback address, such as 127.0.0.1:9420, or Unix socket.",
      valueName: "host:port|path"))
  var address: String?

  func validate() throws {
    guard let address, MetricsAddress(address) == nil else { return }
    throw ValidationError(
      "--metrics must be a loopback address such as 127.0.0.1:9420, or a socket such as /var/lib/qwinkle/metrics.sock, "
        + "not “\(address)”. To read it from another machine, use a proxy.")
  }

  /// Returns the metrics to serve, or nil if the option isn't given.
  func served(by service: Service) -> ServedMetrics? {
    guard let address = address.flatMap(MetricsAddress.init) else { return nil }
    let counts = Metrics(clock: SystemClock())
    return ServedMetrics(counts: counts, front: MetricsFront(counts, of: service, at: address))
  }
}

/// The metrics of a running server.
struct ServedMetrics {
  let counts: Metrics
  let front: MetricsFront

  /// Serves the metrics until the process ends. If the address can't be used, exits with an error.
  @MainActor
  func start() {
    Task { @MainActor in
      do {
        try await front.run()
      } catch {
        QwinkleProgram.end(with: error)
      }
    }
  }
}
