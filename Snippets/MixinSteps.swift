// The second step to a dependency mixin: the name of the class becomes that of a protocol.

// snippet.mixin-protocol
protocol Greeter: Sendable {
  func greet(_ name: String) -> String
}

struct StandardGreeter: Greeter {
  func greet(_ name: String) -> String { "Hello, \(name)!" }
}

protocol RequiresGreeter {
  var greeter: any Greeter { get }
}

extension RequiresGreeter {
  var greeter: any Greeter { StandardGreeter() }
}

struct Door: RequiresGreeter {  // as before
  func open(for name: String) -> String { greeter.greet(name) }
}
// snippet.end
