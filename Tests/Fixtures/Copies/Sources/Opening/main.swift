import Ambient

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// The second copy comes with a library that is opened when the first has been used already.
let folder = CommandLine.arguments[1]
Log.instance = try FileLog(path: "\(folder)/program.log", level: .notice)
Log.notice("program first")
let library = dlopen(CommandLine.arguments[2], RTLD_NOW | RTLD_GLOBAL)
typealias Start = @convention(c) (UnsafePointer<CChar>) -> Void
typealias Number = @convention(c) (Int) -> Void
// Valid: the library declares them so.
let start = unsafeBitCast(dlsym(library, "copy_start"), to: Start.self)
let log = unsafeBitCast(dlsym(library, "copy_log"), to: Number.self)
start("\(folder)/library.log")
for number in 0..<1_000 {
  Log.notice("program \(number)")
  log(number)
}
print("ready")
