import Ambient
import CLines
import Foundation

// Called back by C that has no frame pointers, in the way that the first argument names.

final class Body {
  let call: () -> Void
  init(_ call: @escaping () -> Void) { self.call = call }
}

func call(frameRegister value: UInt, _ body: @escaping () -> Void) {
  call_with_frame_register(
    value, { Unmanaged<Body>.fromOpaque($0!).takeRetainedValue().call() },
    Unmanaged.passRetained(Body(body)).toOpaque())
}

struct Generator: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}

/// Reads a context for the first time, and assigns it late: each notes its caller.
func use() {
  let context = AmbientContext<Int>("Number") { 1 }
  _ = context.instance
  context.instance = 2
}

let stackSize = 1 << 18

/// Calls the handler on a stack that is not the thread's own.
func signal(on memory: UnsafeMutableRawPointer, _ handler: @escaping @convention(c) (Int32) -> Void)
{
  var stack = stack_t()
  stack.ss_sp = memory
  stack.ss_size = stackSize
  sigaltstack(&stack, nil)
  var action = sigaction()
  action.__sigaction_handler.sa_handler = handler
  action.sa_flags = Int32(SA_ONSTACK)
  sigaction(SIGUSR1, &action, nil)
  raise(SIGUSR1)
}

alarm(60)
switch CommandLine.arguments[1] {
case "text":
  // The line's first eight bytes, as a parser has them at hand.
  let text = CommandLine.arguments[2]
  let value = text.utf8.prefix(8).reversed().reduce(UInt(0)) { $0 << 8 | UInt($1) }
  call(frameRegister: value) { Log.info("line \(text)") }
case "qsort":
  var numbers = (0..<1_000).map { Int32(1_000 - $0) }
  qsort(&numbers, numbers.count, 4) { one, other in
    Log.info("sorting")
    let (one, other) = (one!.load(as: Int32.self), other!.load(as: Int32.self))
    return one < other ? -1 : one > other ? 1 : 0
  }
case "tsearch":
  var root: UnsafeMutableRawPointer?
  for number in 1...100 {
    _ = tsearch(UnsafeRawPointer(bitPattern: number), &root) { one, other in
      _ = Time.now
      return Int32(Int(bitPattern: one) - Int(bitPattern: other))
    }
  }
  Log.info("searched")
case "random":
  Diagnostics.instance = .calling { _ in }
  var generator = Generator(state: UInt64(CommandLine.arguments[2])!)
  var place = 0
  let stack = withUnsafeMutablePointer(to: &place) { UInt(bitPattern: $0) }
  for number in 0..<10_000 {
    // Any word, one that is an address, or one of this stack, aligned or not.
    let random = UInt(generator.next())
    let value =
      switch number % 4 {
      case 0: random
      case 1: random >> 17
      case 2: stack &- 4_096 &+ random % 16_384
      default: (stack &- 4_096 &+ random % 16_384) & ~7
      }
    call(frameRegister: value) { use() }
  }
  Log.info("10000 registers")
case "signal":
  signal(on: .allocate(byteCount: stackSize, alignment: 16)) { _ in use() }
  Log.info("signalled")
case "limit":
  let diagnostics = AwaitedDiagnostics()
  Diagnostics.instance = diagnostics
  // The stack has grown below where its limit was at the first look.
  let stack = __rlimit_resource_t(RLIMIT_STACK.rawValue)
  var limits = rlimit()
  getrlimit(stack, &limits)
  var lower = limits
  lower.rlim_cur = 2 << 20
  setrlimit(stack, &lower)
  _ = Time.now
  setrlimit(stack, &limits)
  call_deeper(5 << 20) { use() }
  Log.info("went deep")
  diagnostics.wait()
case "heap":
  // Memory that came after the first look, and below the stack, with nothing between the two.
  _ = Time.now
  signal(on: sbrk(stackSize)) { _ in
    var place = 0
    let here = withUnsafeMutablePointer(to: &place) { UInt(bitPattern: $0) }
    call(frameRegister: (here &+ 1 << 30) & ~7) { use() }
  }
  Log.info("signalled on the heap")
default: break
}
