/// The threads of a catch-up, as far as its posts show them. Each post is in exactly one thread.
struct CatchUpThreads {
  struct Thread {
    /// The topmost post of the thread. It may not be in the catch-up.
    let id: Qwink.ID
    /// Each post is below the post that it replies to. Siblings are in the order of time.
    var members: [(index: Int, depth: Int)] = []
  }

  /// In the order of each thread's oldest root.
  private(set) var threads: [Thread] = []
  private var replies: [[Int]]
  private var isListed: [Bool]

  init(_ posts: CatchUpPosts) {
    let count = posts.posts.count
    replies = Array(repeating: [], count: count)
    isListed = Array(repeating: false, count: count)
    var roots: [Int] = []
    for (index, post) in posts.posts.enumerated() {
      if let parent = post.item.inReplyTo.flatMap({ posts.indices[$0] }), parent != index {
        replies[parent].append(index)
      } else {
        roots.append(index)
      }
    }
    // Replies to the same missing post are one thread.
    var places: [Qwink.ID: Int] = [:]
    for root in roots {
      let item = posts.posts[root].item
      let id = item.inReplyTo ?? item.rowID.status
      let place = places[id] ?? threads.count
      if place == threads.count {
        places[id] = place
        threads.append(Thread(id: id))
      }
      add(root, to: place)
    }
    // Posts of a server that reply to each other in a circle have no root.
    for index in 0..<count where !isListed[index] {
      threads.append(Thread(id: posts.posts[index].item.rowID.status))
      add(index, to: threads.count - 1)
    }
  }

  /// Adds a post and the replies below it. Not recursive, because a thread can have thousands of levels.
  private mutating func add(_ root: Int, to place: Int) {
    var waiting = [(index: root, depth: 0)]
    while let next = waiting.popLast() {
      guard !isListed[next.index] else { continue }
      isListed[next.index] = true
      threads[place].members.append(next)
      for reply in replies[next.index].reversed() { waiting.append((reply, next.depth + 1)) }
    }
  }
}
