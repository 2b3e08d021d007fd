import Ambient
import Foundation

/// Blocks its thread for ever.
final class Stuck: AmbientService {
  func flush() { while true { sleep(1_000) } }
}

func assign(_ services: [any AmbientService]) {
  let context = AmbientContext<any AmbientService>("Stuck") { Stuck() }
  for service in services { context.instance = service }
}

/// Is back at once.
final class Quick: AmbientService {}

/// Blocks while it stops, not where it is replaced.
final class StuckAtTheEnd: AmbientService {
  func shutdown(deadline: ContinuousClock.Instant) async { while true { sleep(1_000) } }
}

alarm(60)
let count = Int(CommandLine.arguments[2])!
switch CommandLine.arguments[1] {
case "replaced": assign((0..<count).map { _ in StuckAtTheEnd() } + [Quick()])
default: for _ in 0..<count { assign([Stuck()]) }
}
let start = ContinuousClock.now
let late = await AmbientScope.shutdown(within: .seconds(5))
print("late: \(late.count)")
print("after \(ContinuousClock.now - start)")
