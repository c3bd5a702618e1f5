import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

/// `qwinkle serve --notify`.
@Suite(.bounded) struct NotifyTests {
  @Test func `serve reports to systemd when it starts, serves and stops`() async throws {
    try await Program.inNewHome { program in
      let socket = try DatagramSocket(at: "\(program.home)/notify")
      let server = try ChildProcess(
        [Program.path, "serve", "--notify", "--bind", "127.0.0.1:0", "--data", "\(program.home)/data"],
        environment: program.with(["NOTIFY_SOCKET": "\(program.home)/notify", "WATCHDOG_USEC": "200000"]).environment,
        directory: program.home)
      #expect(await socket.next()?.hasPrefix("STATUS=") == true)
      #expect(await socket.next() == "READY=1\nSTATUS=Serving 0 connections")
      #expect(try await server.firstLine().hasPrefix("Serving at "))
      for _ in 0..<3 { #expect(await socket.next() == "WATCHDOG=1\nSTATUS=Serving 0 connections") }
      kill(server.processID, SIGTERM)
      var messages: [String] = []
      // Pings can precede the last message.
      while messages.count < 100, messages.last?.hasPrefix("STOPPING=1\n") != true, let next = await socket.next() {
        messages.append(next)
      }
      #expect(messages.last?.hasPrefix("STOPPING=1\n") == true, "\(messages)")
      let end = try await server.outcome()
      #expect(end.status == 0 && end.errors == "", "\(end.errors)")
    }
  }

  @Test func `without systemd, serve --notify is serve`() async throws {
    try await Program.inNewHome { program in
      // `serving` expects no errors.
      try await program.serving("--notify") { url in
        let read = try await program.run("timeline", "public", "--server", url)
        #expect(read.status == 0 && read.text.contains("Welcome to Qwinkle!"), "\(read.errors)")
      }
    }
  }

  @Test func `serve works even if systemd doesn't listen, and reports it once`() async throws {
    try await Program.inNewHome { program in
      let alone = program.with(["NOTIFY_SOCKET": "\(program.home)/missing"])
      let server = try ChildProcess(
        [Program.path, "serve", "--notify", "--bind", "127.0.0.1:0", "--data", "\(program.home)/data"],
        environment: alone.environment, directory: program.home)
      #expect(try await server.firstLine().hasPrefix("Serving at "))
      let end = try await server.stop()
      #expect(end.status == 0 && end.errorLines.count == 1 && end.errors.contains("/missing"), "\(end.errors)")
    }
  }
}
