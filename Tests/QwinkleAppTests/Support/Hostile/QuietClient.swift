import Foundation
import QwinkleTesting

/// A well-behaved client: it sends one request after another, with pauses. It blocks its thread.
enum QuietClient {
  /// Times and failures of the client's requests.
  struct Log: Sendable {
    fileprivate(set) var times: [Duration] = []
    /// Responses other than 200, and errors.
    fileprivate(set) var failures: [String] = []

    /// The 99th percentile of the times, in milliseconds.
    var late: Double {
      times.isEmpty ? .infinity : times.sorted()[times.count * 99 / 100] / Duration.milliseconds(1)
    }
  }

  static func read(_ port: Int, for duration: Duration) -> Log {
    run(port, from: "127.0.0.2", for: duration, pause: 5) { _ in
      // A new query each time, so that the server reads the database.
      RequestText.get("/api/v1/timelines/public?limit=20&since_id=\(Int64.random(in: 0..<1 << 40))")
    }
  }

  /// Posts, favourites and unfavourites as anna. In a soak, the rate stays below the limit of 300 posts in three hours.
  static func write(_ port: Int, _ target: HostileTarget, for duration: Duration) -> Log {
    run(port, from: "127.0.0.3", for: duration, pause: duration > .seconds(10) ? 75 : 15) { number in
      let action = ["favourite", "unfavourite"][number / 3 % 2]
      return number.isMultiple(of: 3)
        ? RequestText.post("/api/v1/statuses", [("status", "Quiet \(UUID())")], token: target.quietToken)
        : RequestText.post("/api/v1/statuses/\(target.posts[number % 3])/\(action)", token: target.quietToken)
    }
  }

  private static func run(
    _ port: Int, from source: String, for duration: Duration, pause: Int, request: (Int) -> String
  ) -> Log {
    let client = BlockingClient { try RawClient(port: port, from: source) }
    let clock = ContinuousClock()
    let end = clock.now + duration
    var log = Log()
    var number = 0
    while clock.now < end {
      let text = request(number)
      number += 1
      let start = clock.now
      do {
        let response = try client.response(to: text)
        log.times.append(clock.now - start)
        if response.status != 200 {
          log.failures.append("\(response.head)\(String(decoding: response.body.prefix(300), as: UTF8.self))")
        }
      } catch {
        log.times.append(clock.now - start)
        log.failures.append("\(error)")
      }
      Attack.pause(milliseconds: pause)
    }
    return log
  }
}
