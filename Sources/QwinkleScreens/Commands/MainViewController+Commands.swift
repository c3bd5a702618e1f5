import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleConfig
import QwinkleModel
import SafeText

/// The user's custom commands.
extension MainViewController {
  /// Pipes the selected qwink into `command` and handles its output as the command specifies.
  func pipe(_ command: OwnCommand) {
    guard let desk = factory.settings.desk else { return say(PromptWords.noConfig, .warning) }
    guard let qwink = focus.selectedQwink else { return say(PromptWords.noQwink, .warning) }
    if command.input == .picture, PipedQwink.pictures(of: qwink).isEmpty {
      return say(PromptWords.noPicture, .warning)
    }
    let isHere = whileHere()
    say("\(command.name)…", .dim)
    desk.run(
      command.run, input: PipedQwink.input(command.input, of: qwink), environment: PipedQwink.environment(of: qwink)
    ) { [weak self] result in
      guard let self else { return }
      switch result {
      case .failure(let failure): say(failure.sentence, .error)
      case .success(let output): take(output, of: command, isHere: isHere())
      }
    }
  }

  private func take(_ output: String, of command: OwnCommand, isHere: Bool) {
    let text = SafeText.paragraphs(output).trimmed()
    switch command.output {
    case .drop: say("\(command.name): done", .dim)
    case .entry where isHere && account.isSignedIn:
      let entry = Entry(
        text: text, visibility: account.identity.usualVisibility ?? .public, idempotencyKey: UUID().uuidString)
      reopen(DiscardedEntry(purpose: .new, content: OutgoingEntry(purpose: EntryPurpose.new.key, entry: entry)))
    case .show, .entry:
      if text.isEmpty { return say("\(command.name) printed nothing", .dim) }
      // Open a sheet only for long output, and not if the user has left the screen where the command was started.
      guard isHere, text.contains("\n") || text.count > 60 else { return say(SafeText.line(text), .text) }
      present(OutputSheet(title: command.name, text: text))
    }
  }
}
