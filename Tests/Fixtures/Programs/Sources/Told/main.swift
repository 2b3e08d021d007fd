import Ambient
import Foundation

// Prints what the environment decides. Then rotates a log in the folder that it is given, which
// starts gzip, and waits until that has worked, or what stood in its place was called.
print(
  AmbientScope.isStrict, AmbientPrivacy.isRevealing,
  LogLevels.environment.general == .from(.trace))
AmbientScope.isStrict = false
let folder = CommandLine.arguments[1]
let log = try FileLog(
  path: "\(folder)/told.log", level: .info, rotation: .size(2_000, isCompressed: true))
for number in 1...100 { log.info("line \(number)") }
log.flush()
func isDone() throws -> Bool {
  try FileManager.default.contentsOfDirectory(atPath: folder).contains {
    $0 == "called" || $0.hasSuffix(".gz")
  }
}
for _ in 0..<3_000 where try !isDone() { usleep(10_000) }
