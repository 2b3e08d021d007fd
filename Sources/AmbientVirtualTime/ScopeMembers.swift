// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The tasks of a scope, and their names in reports.
struct ScopeMembers {
  /// A task that `Time.task` started.
  struct Child {
    let caller: SourcePlace
    let name: String?
    /// Whether the task is a background task. If such a task has not ended when the scope ends, it
    /// is cancelled instead of reported.
    let isBackground: Bool
    /// The task's number, unique in the process; zero if unknown.
    fileprivate(set) var task: UInt64 = 0
    fileprivate(set) var cancel: (@Sendable () -> Void)?

    init(_ caller: SourcePlace, _ name: String?, isBackground: Bool) {
      self.caller = caller
      self.name = name
      self.isBackground = isBackground
    }

    /// The child's name in reports.
    var description: String { "Time.task\(name.map { " “\($0.escaped)”" } ?? "") at \(caller)" }

    /// The report of a child that neither ended nor slept when its scope ended.
    var leftover: String {
      """
      \(description) had not ended when its scope ended, and does not sleep: it may wait forever, or \
      run elsewhere. Await it in the scope's body, or cancel it.
      """
    }
  }

  /// The place where the scope was opened; nil until `VirtualState.open(at:_:)` sets it.
  var place: SourcePlace?
  /// The number that identifies the body's task; zero until that task starts.
  private(set) var body: UInt64 = 0
  private var children: [UInt64: Child] = [:]
  /// The child that was started last: `child` identifies the child in the scope, and `task`
  /// identifies the child's task in the process.
  private var started: (child: UInt64, task: UInt64) = (0, 0)
  /// Bare tasks that the scope's jobs started or resumed. Stored until the scope ends, because the
  /// runtime does not report when a task ends.
  private var adopted: Set<UInt64> = []
  /// Tasks that the scope's jobs started or resumed in `AmbientScope.outside`. They do not belong
  /// to the scope.
  private var strangers: Set<UInt64> = []
  /// The latest ten errors of children. They are reported, because possibly no code awaits these
  /// children.
  private(set) var failures: [String] = []

  /// The relation of a bare task (`Task { }`) to the scope whose job starts or resumes the task.
  enum Standing { case adopted, new, foreign }

  mutating func standing(of task: UInt64, isOutside: Bool) -> Standing {
    if adopted.contains(task) { return .adopted }
    if isOutside { strangers.insert(task) }
    // Task numbers only grow, so a task with a smaller number than the body's task is older than
    // the scope.
    return task < body || strangers.contains(task) ? .foreign : .new
  }

  mutating func adopt(_ task: UInt64) { if task != 0 { adopted.insert(task) } }

  /// Removes and returns the bare tasks, for the caller to release from the scope.
  mutating func takeAdopted() -> Set<UInt64> {
    defer { adopted = [] }
    return adopted
  }

  /// Records the number of a child's task. Child 0 is the scope's body.
  mutating func noteStart(of child: UInt64, task: UInt64) {
    if child == 0 { body = task } else { started = (child, task) }
  }

  mutating func insert(_ child: Child, id: UInt64) { children[id] = child }

  /// Stores the number of the child's task, and the function that cancels the task. The child is
  /// looked up once and then changed in place, because each change through the subscript by key
  /// allocates temporary memory.
  mutating func start(_ child: UInt64, cancel: @escaping @Sendable () -> Void) {
    guard let index = children.index(forKey: child) else { return }
    if started.child == child { children.values[index].task = started.task }
    children.values[index].cancel = cancel
  }

  mutating func end(_ child: UInt64, error: String?) {
    guard let ended = children.removeValue(forKey: child), let error else { return }
    if failures.count == 10 { failures.removeFirst() }
    failures.append("\(ended.description), which threw \(error.escaped), and has ended")
  }

  /// The children that have not ended, in the order of their start.
  var all: [Child] { children.sorted { $0.key < $1.key }.map(\.value) }

  /// The scope's name in reports, with the place where the scope was opened. `bodyName` includes
  /// this name.
  var scopeName: String { "the scope\(place.map { " at \($0)" } ?? "")" }
  var bodyName: String { "the body of \(scopeName)" }

  /// The name of a child in reports; child 0 is the scope's body.
  func name(ofStarted child: UInt64) -> String {
    child == 0 ? bodyName : children[child]?.description ?? "a task"
  }

  /// The task's name in reports.
  func name(of task: UInt64) -> String {
    if task == body { return bodyName }
    if task == 0 { return "a task" }
    return children.values.first { $0.task == task }?.description ?? "a task"
  }

  /// The report of a task that left the scope without a hold and has returned.
  func departure(of task: UInt64) -> String {
    // The body's name already names the scope.
    let scope = task == body ? "the scope" : scopeName
    let cure = BareTasks.cure(isHeld: BareTasks.areHeld)
    return """
      \(name(of: task)) waited for work outside \(scope) while other tasks slept, so virtual time may \
      or may not have passed meanwhile. \(cure)
      """
  }

  /// The report of a task that woke so many times from `Task.sleep` while no other task slept, the
  /// last time from `sleeper`.
  func polling(
    _ task: UInt64, _ sleeper: VirtualTime.Sleeper, _ wakes: Int
  ) -> @Sendable () -> ScopeFinding {
    let name = name(of: task)
    return {
      .hint(
        .stalled,
        """
        \(name) has woken \(wakes) times from the sleep at \(sleeper.call) while no other task \
        slept. If it polls something real, such as a server or a file, wrap its loop in \
        Time.hold { }, where clocks and sleeps are real
        """)
    }
  }

  /// The report of a task that was cancelled outside the scope when a sleep beside it had ended.
  func lostRace(of task: UInt64, to sleeper: VirtualTime.Sleeper) -> @Sendable () -> ScopeFinding {
    let (name, scope) = (name(of: task), scopeName)
    return {
      .hint(
        .leftScope,
        """
        the sleep of \(sleeper.duration) at \(sleeper.call) ended in no real time; then \(name) was \
        cancelled while it waited for work outside \(scope). If that sleep limits a real wait, such as \
        a request, wrap both in Time.hold { }, where clocks and sleeps are real
        """)
    }
  }
}
