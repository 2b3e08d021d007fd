/// The tasks of a scope, and what reports call them.
struct ScopeMembers {
  /// A task that `Time.task` started.
  struct Child {
    let caller: SourcePlace
    let name: String?
    /// Whether it ends with the scope, and nothing waits for it.
    let isBackground: Bool
    /// The number of its task; zero if it is not known.
    fileprivate(set) var task: UInt64 = 0
    fileprivate(set) var cancel: (@Sendable () -> Void)?

    init(_ caller: SourcePlace, _ name: String?, isBackground: Bool) {
      self.caller = caller
      self.name = name
      self.isBackground = isBackground
    }

    /// What reports call the task.
    var description: String { "Time.task\(name.map { " “\($0)”" } ?? "") at \(caller)" }
  }

  /// Where the scope was opened.
  var place: SourcePlace?
  /// The number of the body's task.
  private(set) var body: UInt64 = 0
  private var children: [UInt64: Child] = [:]
  /// The child that was started last, and the number of its task.
  private var started: (child: UInt64, task: UInt64) = (0, 0)
  /// The tasks that are no children of the scope's, but were started by its tasks: kept to its end,
  /// since nothing says when they have ended.
  private var adopted: Set<UInt64> = []
  /// The tasks that were started in its turn and do not belong to it.
  private var strangers: Set<UInt64> = []
  /// What children threw, the latest ten: perhaps nothing awaits them.
  private var failures: [String] = []

  /// What a bare task is to the scope in whose turn it is started or resumed.
  enum Standing { case adopted, new, foreign }

  mutating func standing(of task: UInt64, isOutside: Bool) -> Standing {
    if adopted.contains(task) { return .adopted }
    if isOutside { strangers.insert(task) }
    // The numbers of tasks only grow, so one that is less began before the scope.
    return task < body || strangers.contains(task) ? .foreign : .new
  }

  mutating func adopt(_ task: UInt64) { if task != 0 { adopted.insert(task) } }

  /// Gives up the bare tasks, which go their own ways from now on.
  mutating func takeAdopted() -> Set<UInt64> {
    defer { adopted = [] }
    return adopted
  }

  /// Notes that a task begins: the body, as 0, or a child.
  mutating func noteStart(of child: UInt64, task: UInt64) {
    if child == 0 { body = task } else { started = (child, task) }
  }

  mutating func insert(_ child: Child, id: UInt64) { children[id] = child }

  /// In one access of the child, since each of them takes memory for its time.
  mutating func start(_ child: UInt64, cancel: @escaping @Sendable () -> Void) {
    guard let index = children.index(forKey: child) else { return }
    if started.child == child { children.values[index].task = started.task }
    children.values[index].cancel = cancel
  }

  mutating func end(_ child: UInt64, error: String?) {
    guard let ended = children.removeValue(forKey: child), let error else { return }
    if failures.count == 10 { failures.removeFirst() }
    failures.append("\(ended.description), which threw \(error), and has ended")
  }

  /// Those that have not ended, in the order in which they were started.
  var all: [Child] { children.sorted { $0.key < $1.key }.map(\.value) }

  /// The errors with which members ended, for reports.
  var ended: [String] { failures }

  /// What reports call the scope, and its body: by the place where it was opened.
  var scopeName: String { "the scope\(place.map { " at \($0)" } ?? "")" }
  var bodyName: String { "the body of \(scopeName)" }

  /// What reports call the task.
  func name(of task: UInt64) -> String {
    if task == body { return bodyName }
    if task == 0 { return "a task" }
    return children.values.first { $0.task == task }?.description ?? "a task"
  }

  /// What to say of a task that came back from where the scope does not see it.
  func departure(of task: UInt64) -> String {
    // The body's name says already which scope.
    let scope = task == body ? "the scope" : scopeName
    let cure = BareTasks.cure(isHeld: BareTasks.areHeld)
    return """
      \(name(of: task)) came back from where \(scope) does not see it, while others slept: whether \
      virtual time passed meanwhile was a matter of luck. Of what it waited for, \(cure)
      """
  }
}
