import Foundation
import LibC

/// A benchmark that compares two costs.
@MainActor
protocol Bench {
  /// Measures, and prints the result.
  func run() async
}

struct BenchError: Error, CustomStringConvertible {
  let description: String
}

/// Runs `body` with the path of a folder that `body` can create, then removes the folder. If `body` throws, prints the
/// error with the name of the benchmark.
func withTemporaryFolder(_ bench: String, _ body: (String) async throws -> Void) async {
  let folder = FileManager.default.temporaryDirectory.path + "/qwinkle-bench-\(UUID())"
  defer { try? FileManager.default.removeItem(atPath: folder) }
  do {
    try await body(folder)
  } catch {
    print("\(bench): \(error)")
  }
}

/// Returns the resident memory of a process in bytes, or 0 if the system doesn't report it.
func residentMemory(of process: pid_t = getpid()) -> Int {
  let text = (try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)) ?? ""
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}

/// Returns the median time of `body` over `count` runs, in microseconds.
@MainActor
func median(_ count: Int = 200, _ body: () -> Void) -> Double {
  let clock = ContinuousClock()
  return (0..<count).map { _ in clock.measure(body) / .microseconds(1) }.median
}

extension [Double] {
  var median: Double { sorted()[count / 2] }
}

/// Prints one line with both times and their ratio.
func report(_ what: String, _ measured: Double, _ reference: String, _ time: Double) {
  func words(_ microseconds: Double) -> String {
    "\((microseconds * 10).rounded() / 10) µs"
  }
  let ratio = time > 0 ? measured / time : 0
  print("\(what): \(words(measured)); \(reference): \(words(time)); ratio \((ratio * 100).rounded() / 100)")
}

func megabytes(_ bytes: Int) -> String { "\((Double(bytes) / 104_857.6).rounded() / 10) MB" }
