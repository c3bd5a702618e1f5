import PaneKit
import QwinkleAccount
public import QwinkleModel

extension MainViewController {
  public func find(_ foreign: Qwink, on screen: any Screen, then act: @escaping @MainActor (Qwink) -> Void) {
    let isHere = whileHere()
    lookupCount += 1
    let number = lookupCount
    say(RemoteTimelineWords.finding, .dim) { [weak self] in
      self.map { $0.copyFetches[number] != nil && $0.lookupCount == number } ?? false && isHere()
    }
    copyFetches[number] = account.findOwnCopy(of: foreign) { [weak self, weak screen] result in
      guard let self else { return }
      copyFetches[number] = nil
      wordsMayHaveChanged()
      switch result {
      case .success(let copy):
        screen?.didFind(copy, of: foreign.originalID)
        // A reader who has moved on isn't interrupted.
        if isHere() { act(copy) }
      case .failure(let error): if !error.isCancelled { say(error.sentence, .warning) }
      }
    }
  }
}
