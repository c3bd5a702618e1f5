import ArgumentParser
import CProcess
import Dispatch
import Foundation
import Pictures
import QwinkleModel

/// A command that continues after `start()` returns, and ends the process itself.
protocol ProgramCommand: ParsableCommand {
  /// Starts the command and returns. The main queue runs only after this method has returned.
  @MainActor func start() throws
}

/// The program: parses the command line, starts the command and runs the main queue.
public enum QwinkleProgram {
  /// Runs the program. Exit status: 0 on success, 1 on failure, 2 on a usage error. A command that has made a change
  /// exits with 0 even if its result can't be printed.
  public static func main() -> Never {
    // Pictures are decoded in a child process, which needs no other part of the program.
    if CommandLine.arguments.dropFirst().elementsEqual([PictureChild.argument]) { PictureChild.run() }
    signal(SIGPIPE, SIG_IGN)
    ProcessControl.occupyStandardDescriptors()
    ProcessMemory.returnLargeBlocks()
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first != "serve" { qw_install_quiet_executor() }
    do {
      if arguments.isEmpty {
        // Most users start qwinkle without arguments, so skip the parser.
        try MainActor.assumeIsolated { try ScreenCommand.start(SessionChoice()) }
        dispatchMain()
      }
      if arguments == ["--version"] {
        print(ProgramVersion.current)
        end(status: 0)
      }
      arguments = try CommandLineReader.prepared(arguments)
      let command = try RootCommand.parseAsRoot(arguments)
      if let command = command as? any ProgramCommand {
        try MainActor.assumeIsolated { try command.start() }
        dispatchMain()
      }
      var plain = command
      try plain.run()
      end(status: 0)
    } catch {
      end(with: error, of: CommandLineReader.commandName(in: arguments))
    }
  }

  static func end(status: Int32) -> Never {
    Pager.finish()
    exit(status)
  }

  /// Prints the error and ends the process. If it is a usage error of `command`, the message refers to the command's
  /// help. The parser also throws requests such as `--help` as errors. Prints their output, with exit status 0.
  static func end(with error: any Error, of command: String? = nil) -> Never {
    // Flush earlier output, so that it precedes the error.
    Pager.finish()
    let code = RootCommand.exitCode(for: error)
    if code == .success {
      print(CompletionScript.completed(RootCommand.fullMessage(for: error)))
      exit(0)
    }
    if code == .validationFailure {
      StandardOutput.complain(
        CommandLineReader.withoutFarSuggestion(
          RootCommand.message(for: error).trimmingCharacters(in: .whitespacesAndNewlines))
          + " (Help: qwinkle \(command.map { "\($0) " } ?? "")--help)")
      exit(2)
    }
    exit(complain(of: error))
  }

  /// Prints the error and returns the exit status.
  static func complain(of error: any Error) -> Int32 {
    let failure = AppError(error)
    StandardOutput.complain(failure.sentence)
    return failure.status
  }
}
