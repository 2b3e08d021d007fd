import Ambient
import CopyLibrary

// Both copies log at once, each to its own file, at a level that the other does not accept.
let folder = CommandLine.arguments[1]
Log.instance = try FileLog(path: "\(folder)/program.log", level: .notice)
try Copy.start("\(folder)/library.log")
await withTaskGroup { group in
  for task in 0..<4 {
    group.addTask {
      for number in 0..<2_500 {
        Log.notice("program \(number)", ["task": task])
        Copy.log(number)
      }
    }
  }
}
print("ready")
