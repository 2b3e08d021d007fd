import Ambient

extension Log {
  static func hello() { Log.debug("read") }
}

enum Flags {
  private static let context = AmbientContext<String>("Flags") { "none" }
  static var instance: String {
    get { context.instance }
    set { context.instance = newValue }
  }
}

func readFlags() { _ = Flags.instance }

let diagnostics = AwaitedDiagnostics()
Diagnostics.instance = diagnostics
Log.hello()
Log.instance = NoLog()
await Task { readFlags() }.value
Flags.instance = "late"
for _ in 0..<2 { diagnostics.wait() }
