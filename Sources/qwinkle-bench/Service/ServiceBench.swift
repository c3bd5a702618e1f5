import Foundation
import QwinkleApp
import QwinkleServer
import Timekeeping

/// Responses per second of the service, compared with a bare server that sends the same bytes. They are measured for
/// several numbers of posts and of connections. Also measures how the cost of each route grows with the number of
/// posts.
@MainActor
struct ServiceBench {
  private static let connections = [1, 8, 64]
  /// Duration of each measurement, in seconds.
  nonisolated private static let time = 1.5

  /// Prints the rates for each number of posts in `sizes`, then a table of the costs of all routes.
  func run(_ sizes: [Int] = [1_000, 100_000, 1_000_000]) async {
    // `qwinkle serve` sets the same thresholds. With the default ones, freed memory is trimmed at every post.
    ProcessMemory.returnLargeBlocks()
    var costs: [String: [Double]] = [:]
    for size in sizes {
      await withTemporaryFolder("service with \(size) posts") { directory in
        let service = try Service(
          directory: directory, welcome: "", owner: "bench", clock: SystemClock(), isUnlimited: true)
        try service.open()
        service.close()
        try ServiceContent(posts: size, people: 1_000).fill(directory)
        for (route, cost) in try await RouteCosts(service).measure() { costs[route, default: []].append(cost) }
        service.close()
        try await measure(service, size)
        service.close()
      }
    }
    print("milliseconds of one request, with \(sizes.map(String.init).joined(separator: ", ")) posts")
    for (route, values) in costs.sorted(by: { $0.key < $1.key }) {
      let words = values.map { String(format: "%.2f", $0) }.joined(separator: "  ")
      print("  \(words)  ×\(String(format: "%.1f", (values.last ?? 0) / max(values.first ?? 0, 0.001)))  \(route)")
    }
  }

  private func measure(_ service: Service, _ size: Int) async throws {
    let authorization = "Bearer \(service.ownerToken)"
    try await Self.serving(service) { port in
      let reads = [
        ("public", Load.get("/api/v1/timelines/public", "")),
        ("home", Load.get("/api/v1/timelines/home", authorization)),
      ]
      for (name, read) in reads {
        let sample = try Load(port: port, request: read).answer()
        try await BenchServer.bare(sample).serving { bare in
          for count in Self.connections {
            // Alternate, so that other processes on the machine affect both servers alike.
            var (own, reference) = (0.0, 0.0)
            for _ in 0..<2 {
              own += Load(port: port, request: read).rate(connections: count, seconds: Self.time / 2)
              reference += Load(port: bare, request: read).rate(connections: count, seconds: Self.time / 2)
            }
            print(
              "\(size) posts, \(name), \(count) connections: \(Int(own / 2)) reads/s; bare: \(Int(reference / 2)); "
                + "ratio \(Self.words(own / reference))")
          }
        }
      }
      for count in Self.connections {
        let rate = Load(port: port, request: Load.post(authorization)).rate(connections: count, seconds: Self.time)
        print("\(size) posts, \(count) connections: \(Int(rate)) posts/s")
      }
      let post = Load(port: port, request: Load.post(authorization))
      func median(besideReadersAt port: Int) -> Double {
        let readers = Load(port: port, request: reads[0].1).begin(connections: 64)
        defer { readers.end() }
        return post.median(seconds: Self.time)
      }
      let alone = post.median(seconds: Self.time)
      let beside = median(besideReadersAt: port)
      // For reference: readers of another server also slow a post down, because all share the processors.
      try await BenchServer.bare(Load(port: port, request: reads[0].1).answer()).serving { bare in
        let besideBare = median(besideReadersAt: bare)
        print(
          "\(size) posts, a post beside 64 readers: \(Self.words(beside)) ms; beside 64 of a bare server: "
            + "\(Self.words(besideBare)) ms; alone: \(Self.words(alone)) ms; ratios "
            + "\(Self.words(beside / besideBare)), \(Self.words(beside / alone))")
      }
      let memory = residentMemory() >> 20
      if memory > 0 { print("\(size) posts: \(memory) MB resident, clients included") }
    }
  }

  private static func words(_ number: Double) -> String { String(format: "%.2f", number) }

  /// Runs `body` while the service is listening.
  private static func serving(_ service: Service, _ body: (Int) async throws -> Void) async throws {
    let (ports, listening) = AsyncStream.makeStream(of: Int.self)
    let front = Task {
      defer { listening.finish() }
      try await HTTPFront(service: service, host: "127.0.0.1", port: 0).run { listening.yield($0) }
    }
    defer { front.cancel() }
    for await port in ports {
      try await body(port)
      break
    }
    front.cancel()
    _ = try? await front.value
  }
}
