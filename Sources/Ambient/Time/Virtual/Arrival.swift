internal import CVirtualTime

/// From where a job comes to a scope, as the thread that enqueues it says.
enum Arrival: Equatable {
  /// From outside, unless the thread has the scope's turn.
  case unknown
  /// The scope itself resumes the task, whose wait it knows.
  case own
  /// A task begins: the body, as 0, or a child, by the scope's number of it.
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

  /// From here to the end of the mark, the thread starts or resumes tasks so.
  func begin() -> Mark {
    defer { ambient_arrival_store(word) }
    return Mark(before: ambient_arrival_load())
  }

  struct Mark {
    fileprivate let before: UInt64

    func end() { ambient_arrival_store(before) }
  }

  /// Runs `body`, which starts or resumes tasks so.
  func with(_ body: () -> Void) {
    let mark = begin()
    defer { mark.end() }
    body()
  }
}
