import FoundationEssentials
import GRDB
import QwinkleModel
import Synchronization
import Timekeeping

extension Service {
  /// Returns the metrics of this service as text in Prometheus' format. The text is at most a second old, and its
  /// numbers from the database at most ten.
  @concurrent
  func text(of metrics: Metrics) async -> String {
    let now = clock.uptime
    if let text = metrics.cache.text(at: now) { return text }
    var text = MetricsText()
    addProcess(to: &text, since: metrics.start, at: now)
    Self.addRequests(metrics.counts, to: &text)
    addConnections(metrics, to: &text)
    await addData(to: &text, metrics.cache, at: now)
    metrics.cache.keep(text.text, at: now)
    return text.text
  }

  private func addProcess(to text: inout MetricsText, since start: Duration, at now: Duration) {
    text.begin("qwinkle_build_info", .gauge, "The program's version.")
    text.add(sample: "qwinkle_build_info", [("version", ProgramVersion.current)], 1)
    text.add("qwinkle_uptime_seconds", .gauge, "Time since the server started.", (now - start) / .seconds(1))
    let process = ProcessFigures()
    text.add("process_cpu_seconds_total", .counter, "User and system CPU time.", process.cpuSeconds)
    if let bytes = process.residentBytes {
      text.add("process_resident_memory_bytes", .gauge, "Resident memory.", bytes)
    }
    if let count = process.openDescriptors { text.add("process_open_fds", .gauge, "Open file descriptors.", count) }
  }

  private static func addRequests(_ counts: Metrics.Counts, to text: inout MetricsText) {
    let requests = "qwinkle_requests_total"
    text.begin(
      requests, .counter, "Requests by method, route and status class. Status none: the client disconnected first.")
    let rows = counts.requests.map { labels, count in
      let route = labels.route.map { "/" + $0.joined(separator: "/") } ?? "-"
      let status = labels.statusClass == 0 ? "none" : "\(labels.statusClass)xx"
      return (labels: [("method", labels.method), ("route", route), ("status", status)], count: count)
    }
    for row in rows.sorted(by: { $0.labels.map(\.1).lexicographicallyPrecedes($1.labels.map(\.1)) }) {
      text.add(sample: requests, row.labels, row.count)
    }
    let durations = "qwinkle_request_duration_seconds"
    text.begin(
      durations, .histogram, "Time from a request's header to its response or stream.")
    for kind in Metrics.RouteClass.allCases {
      text.add(
        histogram: durations, [("class", kind.rawValue)], counts.durations[kind, default: Metrics.Histogram()])
    }
  }

  private func addConnections(_ metrics: Metrics, to text: inout MetricsText) {
    text.add("qwinkle_connections", .gauge, "Open connections.", metrics.openConnections)
    text.add("qwinkle_connections_total", .counter, "Connections accepted.", metrics.acceptedConnections)
    text.add("qwinkle_received_bytes_total", .counter, "Bytes received from clients.", metrics.receivedBytes)
    text.add("qwinkle_sent_bytes_total", .counter, "Bytes sent to clients.", metrics.sentBytes)
    text.add("qwinkle_requests_in_progress", .gauge, "Requests without a response.", budget.used(.requests))
    text.add("qwinkle_streams", .gauge, "Open streams.", budget.used(.streams))
    text.add("qwinkle_stream_subscriptions", .gauge, "Timelines followed on streams.", budget.used(.subscriptions))
    let waiting = budget.turns.waitingCounts
    text.add(
      "qwinkle_queue_length", .gauge, "Waiting work: calls that wait for their turn, and events to stream.",
      by: "queue", Turns.Kind.allCases.map { ($0.name, waiting[$0, default: 0]) } + [("events", events.queueLength)])
    let refusals = budget.refusals.counts
    text.add(
      "qwinkle_limit_reached_total", .counter, "Requests, events and connections beyond a limit of serve --limits.",
      by: "resource", Resource.allCases.filter(\.canRefuse).map { ("\($0)", refusals[$0, default: 0]) })
  }

  private func addData(to text: inout MetricsText, _ cache: MetricsCache, at now: Duration) async {
    text.add("qwinkle_database_bytes", .gauge, "Size of the database.", file.databaseBytes)
    text.add("qwinkle_wal_bytes", .gauge, "Size of the database's write-ahead log.", file.logBytes)
    text.add(
      "qwinkle_database_damaged", .gauge, "1 if damage stops all writes, until a backup is restored.",
      damage.withLock { $0 == nil ? 0 : 1 })
    guard let figures = await figures(cache, at: now) else { return }
    text.add("qwinkle_media_bytes", .gauge, "Size of all pictures.", figures.mediaBytes)
    text.add("qwinkle_users", .gauge, "Accounts.", figures.stats.users)
    text.add(
      "qwinkle_active_users", .gauge, "Accounts that posted today or on the 30 days before.", figures.stats.active)
    text.add("qwinkle_posts", .gauge, "Posts, without boosts.", figures.stats.posts)
    text.add("qwinkle_reports", .gauge, "Users' reports.", figures.reports)
  }

  /// Returns the numbers from the database, or nil if it can't be read now.
  private func figures(_ cache: MetricsCache, at now: Duration) async -> MetricsCache.Figures? {
    if let figures = cache.figures(at: now) { return figures }
    let origin = BaseURL(scheme: "http", authority: "localhost")
    let figures = try? await readForStreams(origin) { transaction in
      MetricsCache.Figures(
        stats: try transaction.publicStats(), mediaBytes: try transaction.mediaBytes(),
        reports: try transaction.openReports())
    }
    if let figures { cache.keep(figures, at: now) }
    return figures
  }
}

extension Turns.Kind {
  /// The name of the queue in metrics.
  fileprivate var name: String {
    switch self {
    case .read: "reads"
    case .longRead: "long_reads"
    case .write: "writes"
    case .passwordCheck: "password_checks"
    case .largeRequest: "large_requests"
    }
  }
}

extension Resource {
  /// Whether a limit refuses work. Clients that take turns only wait.
  fileprivate var canRefuse: Bool {
    if case .turns = limit { false } else { true }
  }
}
