import Foundation
import Pictures

// Each benchmark compares two costs measured in one run, on the same machine at the same time. Absolute times are for
// information only. They can't be compared between machines.

let arguments = Array(CommandLine.arguments.dropFirst())
// This program is also the process that decodes pictures.
if arguments == [PictureChild.argument] { PictureChild.run() }
switch arguments.first {
case WindowBench.memoryCommand where arguments.count == 2: await WindowBench.pageThrough(arguments[1])
case "catchup": CatchUpBench().run()
case "search": await SearchBench().run()
case "pictures": await PictureBench().run()
case PictureMemoryBench.command:
  let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 100
  await PictureMemoryBench().run(count, isTuned: arguments.last != "untuned")
case "service":
  let sizes = arguments.compactMap { Int($0) }
  await sizes.isEmpty ? ServiceBench().run() : ServiceBench().run(sizes)
case "shared":
  guard let options = SharedBench.Options(arguments.dropFirst()) else {
    print("Usage: qwinkle-bench shared [--seconds N] [--streams N] [--writers N] [--rate POSTS-PER-SECOND]")
    exit(2)
  }
  do {
    exit(try SharedBench(options: options).run() ? 0 : 1)
  } catch {
    print("shared: \(error)")
    exit(1)
  }
case "start": await StartBench().run()
case "stream": await StreamBench().run(seconds: arguments.dropFirst().first.flatMap { Double($0) } ?? 60)
case nil:
  let benches: [any Bench] = [
    ListBench(), FrameBench(), DecodeBench(), CacheBench(), WindowBench(), SearchBench(), CatchUpBench(),
    PictureBench(),
  ]
  for bench in benches { await bench.run() }
  await StartBench().run()
  await StreamBench().run()
  await ServiceBench().run()
case let word?:
  print(
    """
    Usage: qwinkle-bench [catchup | pictures | picture-memory [COUNT] | search | service [SIZE…]
                         | shared [--seconds N] | start | stream [SECONDS]]
    Without an argument it runs all of these except shared, and the benchmarks of lists, frames, decoding and the
    cache.
    """)
  exit(word == "--help" || word == "-h" ? 0 : 2)
}
