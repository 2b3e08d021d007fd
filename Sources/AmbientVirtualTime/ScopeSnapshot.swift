// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// A copy of a scope's state for reports: its running, holding, sleeping and waiting tasks.
///
/// The copy is made under the scope's lock.
struct ScopeSnapshot {
  /// The reason why the body waits, for reports.
  enum Body {
    /// The body waits for work that the scope does not see.
    case foreign
    /// The body waits for virtual time. In this scope, virtual time passes only when a call
    /// advances it, and no call does.
    case advance
    case unknown
  }

  let members: ScopeMembers
  let departed: DepartedTasks
  let sleepers: SleeperQueue
  let requests: [VirtualRequest]
  /// The open holds. A task that sleeps has released its hold, which is in this list, too.
  let holders: [UInt64: (caller: SourcePlace, start: Duration)]
  /// Whether a hold keeps time from passing.
  let isHeld: Bool
  /// The reason why the body waits; `nil` if the body has ended.
  let body: Body?
  /// The task of the latest job, and a text about its activity; `nil` if all tasks are suspended.
  let runner: (task: UInt64, does: String)?

  /// The tasks, holds, advances and sleepers, and the tasks that ended with an error.
  var waiting: WaitingList {
    var waiting: [String] = []
    if let body, runner?.task != members.body {
      waiting.append(members.bodyName + remark(body) + since(members.body))
    }
    if let runner {
      waiting.append("\(members.name(of: runner.task)), which \(runner.does)\(since(runner.task))")
    }
    let isBlocking = isHeld && sleepers.count > 0
    let effect = isBlocking ? Self.blocking : ""
    waiting += holders.sorted { $0.key < $1.key }
      .map { "a Time.hold at \($0.value.caller), since uptime \($0.value.start)\(effect)" }
    waiting += requests.map { request in
      let missing = sleepers.count < request.sleepers
      let reason = missing ? ", with \(sleepers.count) of \(request.sleepers.with("sleeper"))" : ""
      return "an advance at \(request.caller), since uptime \(request.start)\(reason)"
    }
    waiting += members.all.filter { $0.task == 0 || $0.task != runner?.task }
      .map { $0.description + since($0.task) }
    return WaitingList(tasks: waiting, sleepers: sleepers.sleepers, ended: members.failures)
  }

  private func since(_ task: UInt64) -> String {
    departed.lastRun(of: task).map { ", since uptime \($0)" } ?? ""
  }

  private func remark(_ body: Body) -> String {
    switch body {
    case .foreign: Self.foreign
    case .advance: Self.advance
    case .unknown: ""
    }
  }

  static var blocking: String {
    ", which stops virtual time, so it never ends if it waits for one of the sleepers"
  }
  static var foreign: String {
    " (it waits outside the scope, such as on the main actor, and nothing advances time)"
  }
  static var advance: String { " (time advances only by hand, and nothing advances it)" }
  static var blocks: String { "runs, or blocks its thread (a semaphore, an endless loop)" }
  static var repeats: String { "runs again and again (perhaps a loop of Task.yield)" }
}

/// The tasks and sleepers of a scope, for a report. Their texts are made when the scope's lock is
/// released: a look-up of the names of functions takes time.
struct WaitingList: Sendable {
  fileprivate let tasks: [String]
  fileprivate let sleepers: [VirtualTime.Sleeper]
  fileprivate let ended: [String]

  var descriptions: [String] {
    tasks + sleepers.map { "\($0), since uptime \($0.start)" } + ended
  }

  /// The descriptions as a sentence.
  var sentence: String { VirtualTimeError.list(descriptions) }
}
