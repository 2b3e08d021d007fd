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
      install_foreign_hook(0, chained ? 1 : 0)
      try await Self.expectHeld()
      await Task {}.value
      precondition(foreign_hook_jobs(0) > 0)
    }
  }

  @Test func `is asked though another one was installed after it`() async {
    await #expect(processExitsWith: .success) {
      try await Self.expectHeld()
      install_foreign_hook(0, 1)
      try await Self.expectHeld()
      install_foreign_hook(1, 1)
      try await Self.expectHeld()
      let before = foreign_hook_jobs(0)
      await Task {}.value
      precondition(foreign_hook_jobs(0) > before)
      precondition(foreign_hook_jobs(1) > 0)
      // In front once more: each is asked once.
      install_foreign_hook(0, 1)
      try await Self.expectHeld()
      let counts = (foreign_hook_jobs(0), foreign_hook_jobs(1))
      await Task {}.value
      precondition(foreign_hook_jobs(0) - counts.0 == foreign_hook_jobs(1) - counts.1)
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `that is installed within a scope is reported, and nothing hangs`(
    chained: Bool, withinAnother: Bool
  ) async {
    await #expect(processExitsWith: .success) { [chained, withinAnother] in
      let reports = Timeline()
      try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
        try await Time.virtual(from: start) { _ in
          install_foreign_hook(0, chained ? 1 : 0)
          await Time.hold { await Task {}.value }
          // Puts ours in front again.
          if withinAnother { try await Time.virtual(from: start) { _ in } }
        }
      }
      precondition(reports.lines.count == 1, "\(reports.lines)")
      precondition(reports.lines[0].contains("swift_task_enqueueGlobal_hook"))
      try await Self.expectHeld()
    }
  }
}
