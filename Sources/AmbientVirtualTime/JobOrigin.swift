// SPDX-License-Identifier: Apache-2.0

internal import CVirtualTime

/// The origin of a job that is enqueued in a scope. The thread that enqueues the job is marked with
/// the origin.
enum JobOrigin: Equatable {
  /// The thread has no mark: the job comes from outside the scope, unless the thread currently runs
  /// the scope's jobs (`VirtualTurn`).
  case unknown
  /// The scope itself resumes a task that waited in it.
  case own
  /// A task begins. The number is 0 for the scope's body, or the child's number in the scope.
  case start(UInt64)

  private var word: UInt64 {
    switch self {
    case .unknown: 0
    case .own: 1
    case .start(let number): number + 2
    }
  }

  static var current: JobOrigin {
    switch ambient_arrival_load() {
    case 0: .unknown
    case 1: .own
    case let word: .start(word - 2)
    }
  }

  /// Marks this thread with the origin of the tasks that it starts or resumes, until `Mark.end()`.
  func begin() -> Mark {
    defer { ambient_arrival_store(word) }
    return Mark(before: ambient_arrival_load())
  }

  struct Mark {
    fileprivate let before: UInt64

    func end() { ambient_arrival_store(before) }
  }

  /// Runs `body` while the thread is marked with this origin.
  func with(_ body: () -> Void) {
    let mark = begin()
    defer { mark.end() }
    body()
  }
}
