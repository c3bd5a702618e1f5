public import QwinkleModel
public import QwinkleService

/// Fetching for a caller that waits, such as a command.
extension Inbox {
  /// Refreshes, and returns the conversations once people whom messages only name are known, too.
  public func fetchConversations() async throws(DownloadError) -> [Conversation] {
    refresh()
    await whenIdle()
    if let error = state.error { throw error }
    return conversations
  }

  /// Fetches the messages of a conversation, oldest first.
  public func fetchMessages(of conversation: Conversation) async throws(DownloadError) -> [Qwink] {
    open(conversation)
    defer { close(conversation.id) }
    fetchThread(of: conversation.id)
    await whenIdle()
    if let error = state(of: conversation.id).error { throw error }
    return messages(of: conversation.id)
  }

  private var isIdle: Bool {
    !state.isRefreshing && !isLooking && search.strangersUnderWay == 0 && !threadsUnderWay.values.contains { $0 > 0 }
  }

  private func whenIdle() async {
    guard !isIdle else { return }
    await withCheckedContinuation { idleWaiters.append($0) }
  }

  /// Resumes those that wait for the end of a fetch, if it was the last one.
  func resumeIdleWaiters() {
    guard isIdle else { return }
    let waiting = idleWaiters
    idleWaiters = []
    for waiter in waiting { waiter.resume() }
  }
}
