/// Something that clients share. Each case has its limits in ``limit``. ``Budget`` adds limits on passwords for a name,
/// and ``FrontLimits`` has those of a single connection.
enum Resource: CaseIterable, Sendable {
  // Used until released.
  case connections
  case requests
  case requestBytes
  case responseBytes
  case uploads
  case streams
  case subscriptions
  case passwordChecks

  // Counted over time.
  case requestRate
  case posts
  case edits
  case media
  case apps
  case registrations
  case guesses

  // Shared by turns.
  case reads
  case longReads
  case writes
  case largeRequests
  case passwordTurns

  enum Limit: Sendable {
    /// Amounts in use at once, by one client and by all together.
    ///
    /// A client that uses less than an equal part, and little, may exceed `ofAll` by half: a full server stays usable
    /// for clients that use little.
    case held(ofOne: Int, ofAll: Int)
    /// Events in each period.
    case window(ofAccount: Int, ofAddress: Int, period: Duration)
    /// `burst` events at once, then one in each interval. A client that is faster waits.
    case pace(burst: Int, interval: Duration)
    /// So many clients at once. The client that used least lately is next.
    case turns(Int)
  }

  var limit: Limit {
    switch self {
    case .connections: .held(ofOne: 256, ofAll: 4096)
    case .requests: .held(ofOne: 256, ofAll: 4096)
    case .requestBytes: .held(ofOne: 4 << 20, ofAll: 16 << 20)
    case .responseBytes: .held(ofOne: 4 << 20, ofAll: 16 << 20)
    case .uploads: .held(ofOne: 4, ofAll: 64)
    case .streams: .held(ofOne: 64, ofAll: 2048)
    case .subscriptions: .held(ofOne: 6400, ofAll: 50_000)
    case .passwordChecks: .held(ofOne: 6, ofAll: 512)
    case .requestRate: .pace(burst: 500, interval: .milliseconds(10))
    case .posts, .edits: .window(ofAccount: 300, ofAddress: 3000, period: .seconds(3 * 60 * 60))
    case .media: .window(ofAccount: 30, ofAddress: 300, period: .seconds(30 * 60))
    case .apps: .window(ofAccount: 30, ofAddress: 60, period: .seconds(10 * 60))
    case .registrations: .window(ofAccount: 5, ofAddress: 5, period: .seconds(30 * 60))
    case .guesses: .pace(burst: 30, interval: .seconds(3))
    case .reads: .turns(Readers.places)
    case .longReads: .turns(Readers.places - 1)
    case .writes, .passwordTurns: .turns(1)
    case .largeRequests: .turns(2)
    }
  }

  /// What is limited, for operators.
  var words: String {
    switch self {
    case .connections: "open connections"
    case .requests: "requests that wait for an answer"
    case .requestBytes: "bytes of requests in memory"
    case .responseBytes: "bytes of answers and events that the client hasn't read"
    case .uploads: "uploads in progress"
    case .streams: "streams"
    case .subscriptions: "timelines, lists and hashtags followed on streams"
    case .passwordChecks: "passwords that wait to be checked"
    case .requestRate: "requests"
    case .posts: "posts"
    case .edits: "edits"
    case .media: "uploads"
    case .apps: "apps registered, and tokens for apps"
    case .registrations: "accounts registered"
    case .guesses: "passwords tried"
    case .reads: "reads of the database"
    case .longReads: "reads that take longer than \(Turns.quickRead.inMilliseconds) ms"
    case .writes: "writes to the database"
    case .largeRequests: "requests longer than \(BodyBuffer.mostBytesInMemory >> 10) KB that are processed"
    case .passwordTurns: "passwords that are checked"
    }
  }

  /// The limit of a route; nil if it has none of its own.
  static func limit(of method: String, at pattern: [String]) -> Resource? {
    switch (method, pattern.joined(separator: "/")) {
    case ("POST", "api/v1/statuses"): .posts
    case ("PUT", "api/v1/statuses/:id"): .edits
    case ("POST", "api/v1/media"), ("POST", "api/v2/media"): .media
    case ("POST", "api/v1/apps"): .apps
    default: nil
    }
  }
}

extension Duration {
  fileprivate var inMilliseconds: Int { Int(self / .milliseconds(1)) }
}
