/// The reason why the site could not be made.
enum DocsError: Error, CustomStringConvertible {
  case usage(String)
  case noDocC
  case noLandingPage(library: String, path: String)
  case unreadable(String, String)
  case faults([String])
  case refused

  var description: String {
    switch self {
    case .usage(let text): "\(text)\n\(AmbientDocs.usage)"
    case .noDocC: "docc is neither in the toolchain nor in PATH: install the full toolchain"
    case .noLandingPage(let library, let path):
      "\(library) has no landing page: write one at \(path)"
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .faults(let faults): "no site was made:\n" + faults.joined(separator: "\n")
    case .refused:
      "DocC warns, as said above; a line in symbol-graphs or in a .docc is that of a source or page"
    }
  }
}
