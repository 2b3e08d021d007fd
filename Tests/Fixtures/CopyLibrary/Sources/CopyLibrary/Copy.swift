import Ambient

/// What the library does with its own copy of Ambient, if it is not inlined into the program.
public enum Copy {
  public static func start(_ path: String) throws {
    Log.instance = try FileLog(path: path, level: .debug)
  }

  public static func log(_ number: Int) { Log.debug("library \(number)", ["number": number]) }
}

/// For a program that opens the library while it runs.
@_cdecl("copy_log")
public func copyLog(_ number: Int) { Copy.log(number) }

@_cdecl("copy_start")
public func copyStart(_ path: UnsafePointer<CChar>) { try? Copy.start(String(cString: path)) }
