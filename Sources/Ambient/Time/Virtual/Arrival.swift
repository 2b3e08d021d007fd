internal import CVirtualTime

/// The origin of a job that comes to a scope, marked on the thread that enqueues it.
enum Arrival: Equatable {
  /// Unknown: from outside, unless the thread has the scope's turn.
  case unknown
  /// The scope itself resumes a task that waited in it.
  case own
  /// A task begins: the body, as 0, or a child, by its number in the scope.
  case start(UInt64)

  private var word: UInt64 {
    switch self {
    case .unknown: 0
    case .own: 1
    case .start(let number): number + 2
    }
  }

  static var current: Arrival {
    switch ambient_arrival_load() {
    case 0: .unknown
    case 1: .own
    case let word: .start(word - 2)
    }
  }

  /// Marks the thread, until the mark ends, as starting or resuming tasks in this way.
  func begin() -> Mark {
    defer { ambient_arrival_store(word) }
    return Mark(before: ambient_arrival_load())
  }

  struct Mark {
    fileprivate let before: UInt64

    func end() { ambient_arrival_store(before) }
  }

  /// Runs `body` with the thread marked.
  func with(_ body: () -> Void) {
    let mark = begin()
    defer { mark.end() }
    body()
  }
}
