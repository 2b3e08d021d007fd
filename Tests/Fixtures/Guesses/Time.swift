import Ambient
import AmbientVirtualTime
import Foundation

// A comment after a form is part of the error that the compiler reports for it; the other forms
// compile.

func synchronous(_ date: Date, _ text: String) throws {
  Time.freeze(date) { print(Time.now) }  // freeze(at: date) { … }
  try Time.freeze("2026-11-27T00:00:00Z") { print(Time.now) }  // freeze(at: date) { … }
  try Time.freeze(text) { print(Time.now) }  // freeze(at: date) { … }
  Time.freeze(Date()) { print(Time.now) }  // freeze(at: date) { … }
  Time.freeze { print(Time.now) }  // freeze(at: date) { … }
  Time.freeze(2026, 11, 27) { print(Time.now) }  // freeze(at: date) { … }
  Time.freeze(to: date) { print(Time.now) }  // freeze(at: date) { … }
  Time.freeze()  // freeze(at: date) { … }
  Time.freeze(at: date)  // freeze(at: date) { … }
  try Time.freeze(at: "2026-11-27T00:00:00Z")  // freeze(at: date) { … }
  Time.freeze(Date())  // freeze(at: date) { … }
  try Time.freeze("2026-11-27T00:00:00Z")  // freeze(at: date) { … }
  let month = try Time.freeze("2026-11-27T00:00:00Z") { 11 }  // freeze(at: date) { … }
  Time.travel(date) { print(Time.now) }  // travel(to: date) { … }
  print(Time.travel(Date()) { month + 31 })  // travel(to: date) { … }
  try Time.travel("2026-11-27T00:00:00Z") { print(Time.now) }  // travel(to: date) { … }
  Time.travel(at: date) { print(Time.now) }  // travel(to: date) { … }
  Time.travel(.seconds(3)) { print(Time.now) }  // travel(by: .seconds(1)) { … }
  Time.travel(3) { print(Time.now) }  // travel(by: .seconds(1)) { … }
  Time.travel(by: 3 * 86_400) { print(Time.now) }  // argument type 'Duration'
  Time.travel { print(Time.now) }  // travel(to: date) { … }
  Time.travel(Date())  // travel(to: date) { … }
  try Time.travel("2026-11-27T00:00:00Z")  // travel(to: date) { … }
  Time.travel(to: date)  // travel(to: date) { … }
  Time.travel(by: .seconds(3))  // travel(by: .seconds(1)) { … }
  Time.travel(.seconds(3))  // travel(by: .seconds(1)) { … }
  try Time.scale(2) { print(Time.now) }  // Time.scale(by: 2) { … }
  try Time.scale { print(Time.now) }  // Time.scale(by: 2) { … }
  Time.scale(2)  // Time.scale(by: 2) { … }
  Time.scale(by: 2)  // Time.scale(by: 2) { … }
  try Time.freeze(at: text) { print(Time.now) }
  Time.freeze(at: date) { print(Time.now) }
  Time.freeze(at: .now) { print(Time.now) }
  Time.travel(to: date) { print(Time.now) }
  Time.travel(by: .seconds(1)) { print(Time.now) }
  try Time.scale(by: 2) { print(Time.now) }
}

func asynchronous(_ date: Date) async throws {
  try await Time.freeze(date) { try await Time.sleep(for: .zero) }  // freeze(at: date) { … }
  try await Time.freeze { try await Time.sleep(for: .zero) }  // freeze(at: date) { … }
  try await Time.freeze("2026-11-27") { try await Time.sleep(for: .zero) }  // freeze(at: date)
  try await Time.freeze(to: date) { try await Time.sleep(for: .zero) }  // freeze(at: date) { … }
  try await Time.travel(Date()) { try await Time.sleep(for: .zero) }  // travel(to: date) { … }
  try await Time.travel(at: date) { try await Time.sleep(for: .zero) }  // travel(to: date) { … }
  try await Time.travel(by: 3) { try await Time.sleep(for: .zero) }  // argument type 'Duration'
  try await Time.scale(2) { try await Time.sleep(for: .zero) }  // Time.scale(by: 2) { … }
  try await Time.virtual { time in print(time.now) }  // Time.virtual(from: date) { time in … }
  try await Time.virtual { print(Time.now) }  // Time.virtual(from: date) { time in … }
  try await Time.virtual("2026-11-27") { time in try await time.run() }  // Time.virtual(from: date)
  try await Time.virtual(date) { _ in try await Time.sleep(for: .zero) }  // virtual(from: date)
  try await Time.virtual(at: date) { time in try await time.run() }  // Time.virtual(from: date)
  try await Time.virtual(at: "2026-11-27") { _ in print(5) }  // Time.virtual(from: date) { time in
  try await Time.freeze(Date())  // freeze(at: date) { … }
  try await Time.travel(Date())  // travel(to: date) { … }
  try await Time.virtual("2026-11-27T00:00:00Z")  // Time.virtual(from: date) { time in … }
  try await Time.virtual(Date())  // Time.virtual(from: date) { time in … }
  try await Time.virtual(at: date)  // Time.virtual(from: date) { time in … }
  try await Time.virtual(at: "2026-11-27T00:00:00Z")  // Time.virtual(from: date) { time in … }
  try await Time.virtual(from: date)  // Time.virtual(from: date) { time in … }
  try await Time.virtual(from: date) { time in
    try await time.advance(by: 1)  // advance(by: .seconds(1))
    try await time.advance(.seconds(1))  // advance(by: .seconds(1))
    try await time.advance(seconds: 1)  // advance(by: .seconds(1))
  }
  _ = Time.clock.now  // renamed to 'clock()'
  _ = TimeClock()  // replaced by 'Time.clock()'
  try await Time.virtual(from: date) { time in try await time.run() }
  try await Time.virtual(from: .now) { time in try await time.advance(by: .seconds(1)) }
  try await Time.freeze(at: date) { try await Time.sleep(for: .zero) }
  try await Time.travel(to: date) { try await Time.sleep(for: .zero) }
  try await Time.scale(by: 2) { try await Time.sleep(for: .zero) }
}
