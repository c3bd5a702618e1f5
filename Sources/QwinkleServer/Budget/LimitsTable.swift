import Timekeeping

/// A table of the server's limits, for its operator.
public enum LimitsTable {
  /// A line for each resource: its name, the limit of one client, and the limit of all clients together. The lines for
  /// disk space follow.
  public static func lines(_ quotas: ServiceQuotas = ServiceQuotas()) -> [String] {
    let resources = Resource.allCases.map { resource in
      let limit = quotas.limits[resource] ?? resource.limit
      return (resource.words, limit.ofOne, limit.ofAll)
    }
    let rows = [("", "one client", "all clients")] + resources + quotas.rows.map { ($0.name, $0.ofOne, $0.ofAll) }
    let widths = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
    return rows.map { row in
      let text = "\(padded(row.0, widths.0))  \(padded(row.1, widths.1))  \(row.2)"
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension Resource.Limit {
  fileprivate var ofOne: String {
    switch self {
    case .held(let ofOne, _): "\(ofOne)"
    case .window(let ofAccount, let ofAddress, let period):
      ofAccount == ofAddress
        ? "\(ofAccount) in \(period.waitInWords)"
        : "\(ofAccount) in \(period.waitInWords), \(ofAddress) an address or uid"
    case .pace(let burst, let interval): "\(burst), then \(Self.rate(interval))"
    case .turns: "by turns"
    }
  }

  fileprivate var ofAll: String {
    switch self {
    case .held(_, let ofAll): "\(ofAll)"
    case .window, .pace: ""
    case .turns(let count): "\(count) at once"
    }
  }

  private static func rate(_ interval: Duration) -> String {
    let perSecond = Int(Duration.seconds(1) / interval)
    return perSecond >= 1 ? "\(perSecond) a second" : "one in \(interval.waitInWords)"
  }
}
