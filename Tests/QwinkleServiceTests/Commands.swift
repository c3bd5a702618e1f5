import Foundation

/// The output of `command`, run by the shell.
func output(of command: String) throws -> [UInt8] {
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(fileURLWithPath: "/bin/sh")
  process.arguments = ["-c", command]
  process.standardOutput = pipe
  process.standardInput = FileHandle.nullDevice
  try process.run()
  let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return Array(output)
}
