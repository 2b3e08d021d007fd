import Ambient
import AmbientTesting
import AmbientVirtualTime
import CClock
import Foundation

// A program that defines `clock_gettime` is linked and keeps its own; the options say that they
// cannot obey.
let before = own_reads()
_ = Date()
print("own:", own_reads() > before)
print("can:", VirtualTime.hasSystemClocks)
do {
  try Time.freeze(at: "2026-11-27T00:00:00Z", date: true) {}
} catch let error as SystemClocksError {
  print(error.code)
}
do {
  try await Time.virtual(from: "2026-11-27T00:00:00Z", systemClocks: true) { _ in }
} catch let error as SystemClocksError {
  print(error.code)
}
