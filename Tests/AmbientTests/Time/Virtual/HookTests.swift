import Ambient
import CHooks
import Testing

/// In processes of their own, since a hook is the whole process's.
struct `A hook of somebody else's` {
  /// Whether bare tasks belong to a scope: the sleeper would wake too early if they did not.
  private static func expectHeld() async throws {
    let isHeld = try await Time.virtual(from: start) { time in
      Time.task { try await Time.sleep(for: .seconds(10)) }
      await Task {
        for _ in 0..<5_000 { await Counter().count() }
      }.value
      let isHeld = time.uptime == .zero
      try await time.run()
      return isHeld
    }
    precondition(isHeld)
  }

  private actor Counter { func count() {} }

  @Test(arguments: [true, false])
  func `that was installed between two scopes is asked after ours`(chained: Bool) async {
    await #expect(processExitsWith: .success) { [chained] in
      try await Self.expectHeld()
      install_foreign_hook(chained ? 1 : 0)
      try await Self.expectHeld()
      await Task {}.value
      precondition(foreign_hook_jobs() > 0)
    }
  }

  @Test(arguments: [true, false])
  func `that is installed within a scope is reported, and nothing hangs`(chained: Bool) async {
    await #expect(processExitsWith: .success) { [chained] in
      let reports = Timeline()
      try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
        try await Time.virtual(from: start) { _ in
          install_foreign_hook(chained ? 1 : 0)
          await Time.hold { await Task {}.value }
        }
      }
      precondition(reports.lines.count == 1, "\(reports.lines)")
      precondition(reports.lines[0].contains("swift_task_enqueueGlobal_hook"))
      try await Self.expectHeld()
    }
  }
}
