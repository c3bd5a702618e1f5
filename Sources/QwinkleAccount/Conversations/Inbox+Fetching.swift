public import QwinkleModel
public import QwinkleService

/// Fetching for callers that await the result, such as commands.
extension Inbox {
  /// Refreshes the list, fetches accounts that are mentioned only by handle, and returns the conversations.
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
    !state.isRefreshing && !isLooking && search.strangersInProgress == 0
      && !threadsInProgress.values.contains { $0 > 0 }
  }

  private func whenIdle() async {
    guard !isIdle else { return }
    await withCheckedContinuation { idleWaiters.append($0) }
  }

  /// Resumes the callers that wait until nothing is being fetched.
  func resumeIdleWaiters() {
    guard isIdle else { return }
    let waiting = idleWaiters
    idleWaiters = []
    for waiter in waiting { waiter.resume() }
  }
}
