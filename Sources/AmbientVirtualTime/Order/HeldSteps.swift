// SPDX-License-Identifier: Apache-2.0

/// Chooses jobs of a schedule in which the running task continues, except that some steps are held
/// back.
struct HeldSteps {
  private let holds: [TaskStep: StepHold]
  private var over: Set<TaskStep> = []

  init(_ holds: [StepHold]) {
    self.holds = Dictionary(holds.map { ($0.step, $0) }) { first, _ in first }
  }

  /// Returns the index of the next of several jobs.
  func choose(
    from jobs: [VirtualJob], _ head: Int, running: UInt32, _ tasks: ScheduledTasks
  ) -> Int {
    if let next = jobs.latest(of: running, from: head), !isHeld(tasks.nextStep(of: running)) {
      return next
    }
    return (head..<jobs.count).first { !isHeld(tasks.nextStep(of: jobs[$0].number)) } ?? head
  }

  mutating func noteRun(_ step: TaskStep) { over.insert(step) }

  private func isHeld(_ step: TaskStep) -> Bool {
    guard let hold = holds[step] else { return false }
    return hold.until.map { !over.contains($0) } ?? true
  }
}
