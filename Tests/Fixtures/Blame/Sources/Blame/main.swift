import Ambient
import Facade
import Foundation

/// Called a different number of times below: the compiler would make one of functions alike.
@inline(never) func note() { print("note") }

enum Own {
  private static let context = AmbientContext<String>("Own") { "default" }
  static var instance: String {
    get { context.instance }
    set { context.instance = newValue }
  }
}
@inline(never) func ownLast(_ text: String) {
  note()
  Own.instance = text  // SET ownLast
}
@inline(never) func ownFirst(_ text: String) -> Int {
  note()
  Own.instance = text  // SET ownFirst
  return Own.instance.count
}
@inline(never) func remoteLast(_ text: String) {
  note()
  Remote.instance = text  // SET remoteLast
}
@inline(never) func remoteFirst(_ text: String) -> Int {
  note()
  Remote.instance = text  // SET remoteFirst
  return Remote.instance.count
}
@inline(never) func logLast(_ log: Log) {
  note()
  Log.instance = log  // SET logLast
}
@inline(never) func logFirst(_ log: Log) -> Int {
  note()
  Log.instance = log  // SET logFirst
  return Log.instance.lostRecords
}
@inline(never) func timeLast(_ time: Time) {
  note()
  note()
  Time.instance = time  // SET timeLast
}
extension String {
  @inline(never) func assignLast() {
    note()
    note()
    Own.instance = self  // SET stringLast
  }
  @inline(never) func assignRemote() {
    note()
    note()
    Remote.instance = self  // SET stringRemote
  }
}
extension Array where Element == Int {
  @inline(never) func assignLog() {
    note()
    note()
    note()
    Log.instance = NoLog()  // SET arrayLog
  }
}
extension Result {
  @inline(never) func assignResult() {
    for _ in 0..<5 { note() }
    Own.instance = "result"  // SET result
  }
}
extension Duration {
  @inline(never) func assignDuration() {
    for _ in 0..<6 { note() }
    Log.instance = NoLog()  // SET duration
  }
}
@inline(never) func generic<T>(_ value: T) {
  note()
  Own.instance = "\(value)"  // SET generic
}
@inline(never) func asyncOwn(_ text: String) async {
  await Task.yield()
  note()
  Own.instance = text  // SET asyncOwn
}
@inline(never) func asyncLog() async {
  await Task.yield()
  note()
  Log.instance = NoLog()  // SET asyncLog
}
@inline(never) func call(_ body: () -> Void) { body() }
func read() { _ = (Own.instance, Remote.instance, Log.instance, Time.instance) }
struct Setup {
  init(_ text: String) { Own.instance = text }  // SET initializer
}
actor Keeper {
  func set() {
    Remote.instance = "x"  // SET actor
  }
}

let diagnostics = AwaitedDiagnostics()
Diagnostics.instance = diagnostics
read()
switch CommandLine.arguments[1] {
case "ownLast": ownLast("x")
case "ownFirst": print(ownFirst("x"))
case "remoteLast": remoteLast("x")
case "remoteFirst": print(remoteFirst("x"))
case "logLast": logLast(NoLog())
case "logFirst": print(logFirst(NoLog()))
case "timeLast": timeLast(FixedTime(at: .distantPast))
case "stringLast": "abc".assignLast()
case "stringRemote": "abc".assignRemote()
case "arrayLog": [1].assignLog()
case "result": Result<Int, any Error>.success(1).assignResult()
case "duration": Duration.zero.assignDuration()
case "generic": generic(3)
case "asyncOwn": await asyncOwn("x")
case "asyncLog": await asyncLog()
case "closure": call { Own.instance = "y" }  // SET closure
case "closureLog": call { Log.instance = NoLog() }  // SET closureLog
case "top": Remote.instance = "z"  // SET top
case "initializer": _ = Setup("x")
case "actor": await Keeper().set()
default: break
}
diagnostics.wait()
