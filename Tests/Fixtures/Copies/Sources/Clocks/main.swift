import Ambient
import AmbientTesting
import AmbientVirtualTime
import Foundation

/// Whether a day passes at once, on all clocks.
func passesDay() async throws -> Bool {
  try await Time.virtual(from: "2026-11-27T00:00:00Z", systemClocks: true) { _ in
    let clock = ContinuousClock.now
    try await Task.sleep(for: .seconds(86_400))
    return try clock.duration(to: .now) == .seconds(86_400)
      && Date() == Date(iso8601: "2026-11-28T00:00:00Z")
  }
}

// The second copy comes with a library that is opened when the first has been used already.
print("alone:", try await passesDay())
let library = dlopen(CommandLine.arguments[1], RTLD_NOW | RTLD_GLOBAL)
typealias Ask = @convention(c) () -> Bool
// Valid: the library declares it so.
let hasClocks = unsafeBitCast(dlsym(library, "clock_library_has_clocks"), to: Ask.self)
print("beside another copy:", try await passesDay())
print("the other copy:", hasClocks())
print("after its question:", try await passesDay())
