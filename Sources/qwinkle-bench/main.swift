import Foundation
import Pictures

// Each benchmark compares two costs measured in one run, on the same machine at the same time. Absolute times are for
// information only. They can't be compared between machines.

if CommandLine.arguments.count == 3, CommandLine.arguments[1] == WindowBench.memoryCommand {
  await WindowBench.pageThrough(CommandLine.arguments[2])
  exit(0)
}
// This program is also the process that decodes pictures.
if CommandLine.arguments.dropFirst().elementsEqual([PictureChild.argument]) { PictureChild.run() }
if CommandLine.arguments.dropFirst().first == "pictures" {
  await PictureBench().run()
  exit(0)
}
if CommandLine.arguments.dropFirst().first == PictureMemoryBench.command {
  let rest = CommandLine.arguments.dropFirst(2)
  await PictureMemoryBench().run(rest.first.flatMap { Int($0) } ?? 100, isTuned: rest.last != "untuned")
  exit(0)
}
#if os(Linux)
  if CommandLine.arguments.dropFirst().first == "start" {
    StartBench().run()
    exit(0)
  }
#endif
if CommandLine.arguments.dropFirst().first == "service" {
  let sizes = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
  await sizes.isEmpty ? ServiceBench().run() : ServiceBench().run(sizes)
  exit(0)
}
if CommandLine.arguments.dropFirst().first == "stream" {
  await StreamBench().run(seconds: CommandLine.arguments.dropFirst(2).first.flatMap { Double($0) } ?? 60)
  exit(0)
}
if let word = CommandLine.arguments.dropFirst().first {
  print(
    """
    Usage: qwinkle-bench [pictures | picture-memory [COUNT] | start | service [SIZE…] | stream [SECONDS]]
    Without an argument it runs all of these, and the benchmarks of lists, frames, decoding and the cache.
    """)
  exit(word == "--help" || word == "-h" ? 0 : 2)
}
let benches: [any Bench] = [ListBench(), FrameBench(), DecodeBench(), CacheBench()]
for bench in benches { bench.run() }
await WindowBench().run()
await PictureBench().run()
#if os(Linux)
  StartBench().run()
#endif
await StreamBench().run()
await ServiceBench().run()
