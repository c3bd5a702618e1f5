import CProcess
import Dispatch
import Foundation
import PaneKit
import SafeText

/// Runs the editor chosen by `EditorChoice`. The editor uses the terminal while it runs.
@MainActor
final class OutsideEditor: ExternalEditor {
  private struct Run {
    let command: String
    let process: Int32
    let file: EditedFile
    let completion: @MainActor (Result<String, ExternalEditorError>) -> Void
  }

  private weak var application: Application?
  private let directory: String
  private let input: Int32
  private let environment = ProcessInfo.processInfo.environment
  /// The configured editor. If empty, the environment's editor is used.
  var chosen = ""
  private var run: Run?

  /// Creates an editor on the terminal. `input` is the descriptor to read from, and the editor writes to standard
  /// output. Its files are created below `directory`.
  init(application: Application, directory: String, input: Int32) {
    self.application = application
    self.directory = directory
    self.input = input
    application.addObserver(self)
  }

  func edit(_ text: String, completion: @escaping @MainActor (Result<String, ExternalEditorError>) -> Void) {
    guard run == nil, let application else { return }
    guard let command = EditorChoice.command(in: environment, chosen: chosen) else {
      return completion(.failure(ExternalEditorError("No editor found. Set $VISUAL or $EDITOR.")))
    }
    let file: EditedFile
    do throws(AppError) {
      file = try EditedFile(text, in: directory)
    } catch {
      return completion(.failure(ExternalEditorError(error.sentence)))
    }
    guard application.enterBackground() else { return file.remove() }
    let process = qw_foreground_start(Self.script(for: command), file.path, input, 1)
    guard process > 0 else {
      file.remove()
      application.enterForeground()
      return completion(.failure(ExternalEditorError("/bin/sh did not start. Your text is unchanged.")))
    }
    run = Run(command: command, process: process, file: file, completion: completion)
    Self.wait(for: process) { [weak self] status in self?.didEnd(process, status: status) }
  }

  /// Returns a shell script that runs `command`. A plain command replaces the shell, so that the terminal's signals
  /// reach only the editor.
  private static func script(for command: String) -> String {
    let isPlain = command.utf8.allSatisfy { $0.isLetterOrDigit || "/._-+:,@ ".utf8.contains($0) }
    return (isPlain ? "exec " : "") + command + " \"$@\""
  }

  /// Waits for the editor on a separate queue, because the user may write for a long time.
  nonisolated private static func wait(for process: Int32, _ completion: @escaping @MainActor @Sendable (Int32) -> Void)
  {
    DispatchQueue(label: "qwinkle.editor").async {
      let status = qw_foreground_wait(process)
      DispatchQueue.main.async {
        MainActor.assumeIsolated { completion(status) }
      }
    }
  }

  private func didEnd(_ process: Int32, status: Int32) {
    guard let run, run.process == process else { return }
    self.run = nil
    qw_foreground_end()
    application?.enterForeground()
    do throws(AppError) {
      let text = try text(of: run, status: status)
      run.file.remove()
      run.completion(.success(text))
    } catch {
      run.completion(.failure(ExternalEditorError("\(error.sentence) \(Self.fate(of: run.file))")))
    }
  }

  private func text(of run: Run, status: Int32) throws(AppError) -> String {
    let name = run.command
    switch status {
    case 0, -1: return try run.file.text()
    case 126, 127: throw .failed("“\(name)” did not start: check $VISUAL and $EDITOR.")
    case 129...: throw .failed("“\(name)” was killed by signal \(status - 128).")
    default: throw .failed("“\(name)” exited with status \(status).")
    }
  }

  /// Describes what happened to the text after the editor failed. A changed text isn't used, because users can discard
  /// their changes by making the editor exit with an error, as `:cq` does in Vim. The changed text isn't deleted
  /// either, because the user may still need it.
  private static func fate(of file: EditedFile) -> String {
    guard file.isWorthKeeping else {
      file.remove()
      return "Your text is unchanged."
    }
    return "Its version is in \(file.directory); your text here is unchanged."
  }
}

extension OutsideEditor: ApplicationObserver {
  /// If the program terminates while the editor runs, adopts the text saved so far and ends the editor. The editor's
  /// files stay on disk, because they may contain unsaved text.
  func application(_ application: Application, didChangeTo phase: ApplicationPhase) {
    guard phase == .terminating, let run else { return }
    self.run = nil
    if let text = try? run.file.text() { run.completion(.success(text)) }
    kill(run.process, SIGHUP)
  }
}
