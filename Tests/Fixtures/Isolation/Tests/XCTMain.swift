import Testing

/// The main program of the tests. With it, SwiftPM needs no index of the sources to find them.
@main struct Tests {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
