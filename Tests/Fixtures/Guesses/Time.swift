import Ambient
import AmbientVirtualTime
import Foundation

// A comment after a form is a part of what the compiler is to say of it, in one error; it is to
// say nothing of the others.

func synchronous(_ date: Date, _ text: String) throws {
  Time.freeze(date) { print(Time.now) }  // Time.freeze(at: …)
  try Time.freeze("2026-11-27T00:00:00Z") { print(Time.now) }  // Time.freeze(at: …)
  try Time.freeze(text) { print(Time.now) }  // Time.freeze(at: …)
  Time.freeze(Date()) { print(Time.now) }  // Time.freeze(at: …)
  Time.freeze(to: date) { print(Time.now) }  // Time.freeze(at: …)
  Time.freeze(at: date)  // for a block, Time.freeze(at: …)
  try Time.freeze(at: "2026-11-27T00:00:00Z")  // for a block, Time.freeze(at: …)
  Time.freeze(Date())  // for a block, Time.freeze(at: …)
  try Time.freeze("2026-11-27T00:00:00Z")  // for a block, Time.freeze(at: …)
  Time.travel(date) { print(Time.now) }  // Time.travel(to: …)
  Time.travel(Date()) { 42 }  // Time.travel(to: …)
  try Time.travel("2026-11-27T00:00:00Z") { print(Time.now) }  // Time.travel(to: …)
  Time.travel(at: date) { print(Time.now) }  // Time.travel(to: …)
  Time.travel(Date())  // for a block: Time.travel(to: …)
  try Time.travel("2026-11-27T00:00:00Z")  // for a block: Time.travel(to: …)
  Time.travel(to: date)  // for a block: Time.travel(to: …)
  try Time.freeze(at: text) { print(Time.now) }
  Time.freeze(at: date) { print(Time.now) }
  Time.travel(to: date) { print(Time.now) }
  Time.travel(by: .seconds(1)) { print(Time.now) }
}

func asynchronous(_ date: Date) async throws {
  try await Time.freeze(date) { try await Time.sleep(for: .zero) }  // Time.freeze(at: …)
  try await Time.freeze("2026-11-27") { try await Time.sleep(for: .zero) }  // Time.freeze(at: …)
  try await Time.freeze(to: date) { try await Time.sleep(for: .zero) }  // Time.freeze(at: …)
  try await Time.travel(Date()) { try await Time.sleep(for: .zero) }  // Time.travel(to: …)
  try await Time.travel(at: date) { try await Time.sleep(for: .zero) }  // Time.travel(to: …)
  try await Time.virtual("2026-11-27") { time in try await time.run() }  // Time.virtual(from: …)
  try await Time.virtual(date) { _ in try await Time.sleep(for: .zero) }  // Time.virtual(from: …)
  try await Time.virtual(at: date) { time in try await time.run() }  // Time.virtual(from: …)
  try await Time.virtual(at: "2026-11-27") { _ in print(5) }  // Time.virtual(from: …)
  try await Time.freeze(Date())  // for a block, Time.freeze(at: …)
  try await Time.travel(Date())  // for a block: Time.travel(to: …)
  try await Time.virtual("2026-11-27T00:00:00Z")  // for a block, Time.virtual(from: …)
  try await Time.virtual(Date())  // for a block, Time.virtual(from: …)
  try await Time.virtual(at: date)  // for a block, Time.virtual(from: …)
  try await Time.virtual(at: "2026-11-27T00:00:00Z")  // for a block, Time.virtual(from: …)
  try await Time.virtual(from: date)  // for a block, Time.virtual(from: …)
  _ = Time.clock.now  // renamed to 'clock()'
  _ = TimeClock()  // replaced by 'Time.clock()'
  try await Time.virtual(from: date) { time in try await time.run() }
  try await Time.freeze(at: date) { try await Time.sleep(for: .zero) }
  try await Time.travel(to: date) { try await Time.sleep(for: .zero) }
}
