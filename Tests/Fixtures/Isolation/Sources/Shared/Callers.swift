import Ambient

// Each function calls each verb: the block asks where it runs at its start and after a suspension, and then
// ends or throws; the line after it asks once more.

/// Code without a mark.
func unmarked(_ p: Probe) async {
  let scope = AmbientScope.capture()
  p.after(
    try? await Time.freeze(at: Probe.date) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.freeze(at: "2026-11-27T00:00:00Z") {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Time.travel(to: Probe.date) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.travel(to: "2026-11-27T00:00:00Z") {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Time.travel(by: .seconds(1)) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.scale(by: 2) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.withInstance(DefaultTime()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Log.withInstance(NoLog()) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Analytics.withInstance(NoAnalytics()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Diagnostics.withInstance(Diagnostics()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Log.withMetadata(["cart": 1]) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Analytics.withUser("ada") { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await AmbientScope.isolated { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await AmbientScope.outside { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await scope.run { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.hold { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.timeout(after: .seconds(600)) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(try? await Flags.withInstance(true) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await inRequest { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.measure { _ = try await (p.on(), Task.yield(), p.on(), p.end()) })
}

/// Code of the main actor.
@MainActor func callAll(_ p: Probe) async {
  let scope = AmbientScope.capture()
  p.after(
    try? await Time.freeze(at: Probe.date) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.freeze(at: "2026-11-27T00:00:00Z") {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Time.travel(to: Probe.date) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.travel(to: "2026-11-27T00:00:00Z") {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Time.travel(by: .seconds(1)) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.scale(by: 2) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.withInstance(DefaultTime()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Log.withInstance(NoLog()) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Analytics.withInstance(NoAnalytics()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Diagnostics.withInstance(Diagnostics()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Log.withMetadata(["cart": 1]) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Analytics.withUser("ada") { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await AmbientScope.isolated { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await AmbientScope.outside { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await scope.run { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.hold { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.timeout(after: .seconds(600)) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(try? await Flags.withInstance(true) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await inRequest { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.measure { _ = try await (p.on(), Task.yield(), p.on(), p.end()) })
}

/// Code that leaves its caller.
@concurrent nonisolated func concurrent(_ p: Probe) async {
  let scope = AmbientScope.capture()
  p.after(
    try? await Time.freeze(at: Probe.date) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.freeze(at: "2026-11-27T00:00:00Z") {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Time.travel(to: Probe.date) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.travel(to: "2026-11-27T00:00:00Z") {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Time.travel(by: .seconds(1)) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.scale(by: 2) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.withInstance(DefaultTime()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Log.withInstance(NoLog()) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Analytics.withInstance(NoAnalytics()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Diagnostics.withInstance(Diagnostics()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Log.withMetadata(["cart": 1]) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Analytics.withUser("ada") { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await AmbientScope.isolated { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await AmbientScope.outside { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await scope.run { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.hold { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.timeout(after: .seconds(600)) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(try? await Flags.withInstance(true) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await inRequest { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.measure { _ = try await (p.on(), Task.yield(), p.on(), p.end()) })
}

/// Code that stays on its caller.
nonisolated(nonsending) func nonsending(_ p: Probe) async {
  let scope = AmbientScope.capture()
  p.after(
    try? await Time.freeze(at: Probe.date) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.freeze(at: "2026-11-27T00:00:00Z") {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Time.travel(to: Probe.date) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.travel(to: "2026-11-27T00:00:00Z") {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Time.travel(by: .seconds(1)) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.scale(by: 2) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.withInstance(DefaultTime()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Log.withInstance(NoLog()) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Analytics.withInstance(NoAnalytics()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Diagnostics.withInstance(Diagnostics()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Log.withMetadata(["cart": 1]) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Analytics.withUser("ada") { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await AmbientScope.isolated { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await AmbientScope.outside { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await scope.run { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.hold { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.timeout(after: .seconds(600)) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(try? await Flags.withInstance(true) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await inRequest { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.measure { _ = try await (p.on(), Task.yield(), p.on(), p.end()) })
}

/// Code of an actor that its blocks use.
func isolated(to home: isolated Home, _ p: Probe) async {
  let scope = AmbientScope.capture()
  p.after(
    try? await Time.freeze(at: Probe.date) {
      try await (home.use(), p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Time.freeze(at: "2026-11-27T00:00:00Z") {
      try await (home.use(), p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Time.travel(to: Probe.date) {
      try await (home.use(), p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Time.travel(to: "2026-11-27T00:00:00Z") {
      try await (home.use(), p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Time.travel(by: .seconds(1)) {
      try await (home.use(), p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Time.scale(by: 2) { try await (home.use(), p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.withInstance(DefaultTime()) {
      try await (home.use(), p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Log.withInstance(NoLog()) {
      try await (home.use(), p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Analytics.withInstance(NoAnalytics()) {
      try await (home.use(), p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Diagnostics.withInstance(Diagnostics()) {
      try await (home.use(), p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Log.withMetadata(["cart": 1]) {
      try await (home.use(), p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Analytics.withUser("ada") {
      try await (home.use(), p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await AmbientScope.isolated {
      try await (home.use(), p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await AmbientScope.outside {
      try await (home.use(), p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(try? await scope.run { try await (home.use(), p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.hold { try await (home.use(), p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.timeout(after: .seconds(600)) {
      try await (home.use(), p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Flags.withInstance(true) {
      try await (home.use(), p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(try? await inRequest { try await (home.use(), p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.measure { _ = try await (home.use(), p.on(), Task.yield(), p.on(), p.end()) })
}

/// Code of an actor that its blocks do not use.
func isolatedElsewhere(to home: isolated Home, _ p: Probe) async {
  let scope = AmbientScope.capture()
  p.after(
    try? await Time.freeze(at: Probe.date) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.freeze(at: "2026-11-27T00:00:00Z") {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Time.travel(to: Probe.date) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.travel(to: "2026-11-27T00:00:00Z") {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Time.travel(by: .seconds(1)) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.scale(by: 2) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.withInstance(DefaultTime()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Log.withInstance(NoLog()) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Analytics.withInstance(NoAnalytics()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Diagnostics.withInstance(Diagnostics()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Log.withMetadata(["cart": 1]) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Analytics.withUser("ada") { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await AmbientScope.isolated { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await AmbientScope.outside { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await scope.run { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.hold { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.timeout(after: .seconds(600)) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(try? await Flags.withInstance(true) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await inRequest { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.measure { _ = try await (p.on(), Task.yield(), p.on(), p.end()) })
}

/// Code of its caller's actor, which its blocks do not use.
func inherited(_ p: Probe, isolation: isolated (any Actor)? = #isolation) async {
  let scope = AmbientScope.capture()
  p.after(
    try? await Time.freeze(at: Probe.date) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.freeze(at: "2026-11-27T00:00:00Z") {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Time.travel(to: Probe.date) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.travel(to: "2026-11-27T00:00:00Z") {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Time.travel(by: .seconds(1)) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.scale(by: 2) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.withInstance(DefaultTime()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Log.withInstance(NoLog()) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Analytics.withInstance(NoAnalytics()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Diagnostics.withInstance(Diagnostics()) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(
    try? await Log.withMetadata(["cart": 1]) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Analytics.withUser("ada") { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await AmbientScope.isolated { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await AmbientScope.outside { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await scope.run { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.hold { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(
    try? await Time.timeout(after: .seconds(600)) {
      try await (p.on(), Task.yield(), p.on(), p.end())
    })
  p.after(try? await Flags.withInstance(true) { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await inRequest { try await (p.on(), Task.yield(), p.on(), p.end()) })
  p.after(try? await Time.measure { _ = try await (p.on(), Task.yield(), p.on(), p.end()) })
}

actor Home {
  private var uses = 0

  func use() { uses += 1 }

  /// Blocks that do not name `self`.
  func withoutSelf(_ p: Probe) async {
    let scope = AmbientScope.capture()
    p.after(
      try? await Time.freeze(at: Probe.date) { try await (p.on(), Task.yield(), p.on(), p.end()) })
    p.after(
      try? await Time.freeze(at: "2026-11-27T00:00:00Z") {
        try await (p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await Time.travel(to: Probe.date) { try await (p.on(), Task.yield(), p.on(), p.end()) })
    p.after(
      try? await Time.travel(to: "2026-11-27T00:00:00Z") {
        try await (p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await Time.travel(by: .seconds(1)) { try await (p.on(), Task.yield(), p.on(), p.end()) })
    p.after(try? await Time.scale(by: 2) { try await (p.on(), Task.yield(), p.on(), p.end()) })
    p.after(
      try? await Time.withInstance(DefaultTime()) {
        try await (p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await Log.withInstance(NoLog()) { try await (p.on(), Task.yield(), p.on(), p.end()) })
    p.after(
      try? await Analytics.withInstance(NoAnalytics()) {
        try await (p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await Diagnostics.withInstance(Diagnostics()) {
        try await (p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await Log.withMetadata(["cart": 1]) { try await (p.on(), Task.yield(), p.on(), p.end()) }
    )
    p.after(
      try? await Analytics.withUser("ada") { try await (p.on(), Task.yield(), p.on(), p.end()) })
    p.after(try? await AmbientScope.isolated { try await (p.on(), Task.yield(), p.on(), p.end()) })
    p.after(try? await AmbientScope.outside { try await (p.on(), Task.yield(), p.on(), p.end()) })
    p.after(try? await scope.run { try await (p.on(), Task.yield(), p.on(), p.end()) })
    p.after(try? await Time.hold { try await (p.on(), Task.yield(), p.on(), p.end()) })
    p.after(
      try? await Time.timeout(after: .seconds(600)) {
        try await (p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await Flags.withInstance(true) { try await (p.on(), Task.yield(), p.on(), p.end()) })
    p.after(try? await inRequest { try await (p.on(), Task.yield(), p.on(), p.end()) })
    p.after(try? await Time.measure { _ = try await (p.on(), Task.yield(), p.on(), p.end()) })
  }

  /// Blocks that name `self`.
  func withSelf(_ p: Probe) async {
    let scope = AmbientScope.capture()
    p.after(
      try? await Time.freeze(at: Probe.date) {
        try await (self.use(), p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await Time.freeze(at: "2026-11-27T00:00:00Z") {
        try await (self.use(), p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await Time.travel(to: Probe.date) {
        try await (self.use(), p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await Time.travel(to: "2026-11-27T00:00:00Z") {
        try await (self.use(), p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await Time.travel(by: .seconds(1)) {
        try await (self.use(), p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await Time.scale(by: 2) { try await (self.use(), p.on(), Task.yield(), p.on(), p.end()) }
    )
    p.after(
      try? await Time.withInstance(DefaultTime()) {
        try await (self.use(), p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await Log.withInstance(NoLog()) {
        try await (self.use(), p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await Analytics.withInstance(NoAnalytics()) {
        try await (self.use(), p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await Diagnostics.withInstance(Diagnostics()) {
        try await (self.use(), p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await Log.withMetadata(["cart": 1]) {
        try await (self.use(), p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await Analytics.withUser("ada") {
        try await (self.use(), p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await AmbientScope.isolated {
        try await (self.use(), p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await AmbientScope.outside {
        try await (self.use(), p.on(), Task.yield(), p.on(), p.end())
      }
    )
    p.after(try? await scope.run { try await (self.use(), p.on(), Task.yield(), p.on(), p.end()) })
    p.after(try? await Time.hold { try await (self.use(), p.on(), Task.yield(), p.on(), p.end()) })
    p.after(
      try? await Time.timeout(after: .seconds(600)) {
        try await (self.use(), p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(
      try? await Flags.withInstance(true) {
        try await (self.use(), p.on(), Task.yield(), p.on(), p.end())
      })
    p.after(try? await inRequest { try await (self.use(), p.on(), Task.yield(), p.on(), p.end()) })
    p.after(
      try? await Time.measure { _ = try await (self.use(), p.on(), Task.yield(), p.on(), p.end()) })
  }

  func callNonsending(_ p: Probe) async { await nonsending(p) }
  func callIsolated(_ p: Probe) async { await isolated(to: self, p) }
  func callElsewhere(_ p: Probe) async { await isolatedElsewhere(to: self, p) }
  func callInherited(_ p: Probe) async { await inherited(p) }

  /// A task that names `self` is the actor's.
  func taskWithSelf(_ p: Probe) async {
    await Task {
      use()
      await inTask(p)
    }.value
  }

  private nonisolated(nonsending) func inTask(_ p: Probe) async { await nonsending(p) }

  /// Blocks within blocks, another actor in between, and a task that is cancelled.
  func hard(_ p: Probe, _ other: Home) async {
    await Log.withMetadata(["a": 1]) {
      await Time.freeze(at: Probe.date) {
        await AmbientScope.isolated {
          p.on()
          await other.use()
          p.on()
          await MainActor.run {}
          p.on()
        }
        p.on()
      }
      p.on()
    }
    await Task {
      use()
      withUnsafeCurrentTask { $0?.cancel() }
      p.after(
        try? await Time.timeout(after: .seconds(600)) {
          try await (p.on(), Task.yield(), p.on(), p.end())
        })
      p.after(
        try? await Time.hold { try await (p.on(), Task.yield(), p.on(), Task.checkCancellation()) })
    }.value
  }
}
