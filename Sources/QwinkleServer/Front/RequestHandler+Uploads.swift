import HTTPTypes
import NIOCore

extension RequestHandler {
  /// Asks whether a large body may come: only somebody who is signed in takes room in memory.
  func ask(_ asked: Asked) {
    guard let context else { return }
    state = .asking
    deadlines.enter(.service)
    let request = request(of: asked)
    let me = NIOLoopBound(self, eventLoop: context.eventLoop)
    task = Task { [front] in
      let answer = await front.service.admission(of: request)
      me.eventLoop.execute { me.value.admit(asked, answer) }
    }
  }

  private func admit(_ asked: Asked, _ answer: Result<Int64, Refusal>) {
    task = nil
    guard case .asking = state, !isLast else {
      if case .closed = state { end() } else { context?.close(promise: nil) }
      return
    }
    switch answer {
    case .failure(let refusal): return refuse(refusal, asked)
    case .success(let account):
      room = front.uploads.place(for: account)
      guard room != nil else { return refuse(.tooManyUploads, asked) }
    }
    read(bodyOf: asked)
    advance()
    if case .reading = state { readAgain() }
  }
}
