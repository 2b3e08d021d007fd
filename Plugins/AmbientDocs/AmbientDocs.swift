import Foundation
import PackagePlugin

/// The command `swift package ambient-docs`.
@main
struct AmbientDocs: CommandPlugin {
  static let usage = """
    Usage: swift package ambient-docs [--hosting-base-path PATH]

    Makes a static site of the package's libraries and of the pages in docs/. Links between the
    pages become links of the site; one that leads nowhere, and any warning of DocC, is an error.

    Options:
      --hosting-base-path PATH  the folder of the server in which the site will stand
      --help                    prints this

    A library is in the site if it has a catalogue, Sources/NAME/NAME.docc. A page belongs to the
    library whose landing page lists it, as <doc:time> lists docs/time.md.
    """

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var arguments = ArgumentExtractor(arguments)
    if arguments.extractFlag(named: "help") > 0 { return print(Self.usage) }
    let basePath = arguments.extractOption(named: "hosting-base-path").last
    if let rest = arguments.remainingArguments.first {
      throw DocsError.usage("“\(rest)” is no option of ambient-docs")
    }
    let package = context.package.directoryURL
    let pages = try Page.all(in: package)
    let libraries = try libraries(context)
    try Page.check(pages, libraries: libraries.map { ($0.name, $0.landingPage) })
    let work = context.pluginWorkDirectoryURL
    let catalogue = work.appending(path: "\(context.package.displayName).docc")
    let graphs = work.appending(path: "symbol-graphs")
    for folder in [catalogue, graphs] {
      try? FileManager.default.removeItem(at: folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    for page in pages {
      try write(page.article(among: pages), to: catalogue.appending(path: page.name + ".md"))
    }
    for library in libraries {
      try FileManager.default.copyItem(
        at: library.landingPage, to: catalogue.appending(path: "\(library.name)-library.md"))
      try copySymbolGraphs(of: library, to: graphs)
    }
    let site = work.appending(path: "site")
    try? FileManager.default.removeItem(at: site)
    let title = context.package.displayName
    // DocC makes the name of the pages' folder from this name. It is not a library's name, because
    // in a library's folder, a page could collide with a type of the same name.
    let name = "\(title) pages"
    // Writes the root page of the pages' folder. Because of this page, each page shows the
    // navigation of all libraries.
    try write(
      """
      # All libraries

      @Metadata {
        @TechnologyRoot
      }

      The libraries of the package \(title), each with its pages.

      ## Topics

      ### Libraries

      \(libraries.map { "- ``/\($0.name)``" }.joined(separator: "\n"))
      """, to: catalogue.appending(path: name + ".md"))
    try convert(catalogue, graphs, to: site, name: name, basePath: basePath, context)
    // The site requests this file. If it is missing, the browser logs an error on its console.
    try write(#"{"meta":{"title":"\#(title)"}}"#, to: site.appending(path: "theme-settings.json"))
    // Replaces DocC's root page, which only says “not found”, with a redirect to the root page of
    // the pages' folder.
    let start = "documentation/\(name.lowercased().replacing(" ", with: "-"))/"
    try write(
      """
      <!DOCTYPE html>
      <meta charset="utf-8">
      <title>\(title)</title>
      <meta http-equiv="refresh" content="0; url=\(start)">
      <a href="\(start)">\(title)</a>
      """, to: site.appending(path: "index.html"))
    print("\(libraries.count) libraries and \(pages.count) pages: \(site.path)")
    print("To look at it: python3 -m http.server --directory \(site.path)")
    print("and then, in a browser: http://localhost:8000")
  }

  private func write(_ text: String, to file: URL) throws {
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  /// A library with a DocC catalogue.
  private struct Library {
    let target: any SourceModuleTarget
    var name: String { target.moduleName }
    var landingPage: URL {
      target.directoryURL.appending(path: "\(name).docc").appending(path: "\(name).md")
    }
  }

  private func libraries(_ context: PluginContext) throws(DocsError) -> [Library] {
    let libraries = context.package.products.compactMap { $0 as? LibraryProduct }
      .flatMap(\.targets).compactMap { $0 as? any SourceModuleTarget }
      .map { Library(target: $0) }
    for library in libraries
    where !FileManager.default.fileExists(atPath: library.landingPage.path) {
      throw .noLandingPage(library: library.name, path: library.landingPage.path)
    }
    return libraries
  }

  /// Copies the symbol graphs of the library, and those of its extensions of other modules' types.
  /// Does not copy the symbol graphs of the modules that the library uses.
  private func copySymbolGraphs(of library: Library, to folder: URL) throws {
    let options = PackageManager.SymbolGraphOptions(
      minimumAccessLevel: .public, includeSynthesized: false, includeSPI: false,
      emitExtensionBlocks: false)
    let made = try packageManager.getSymbolGraph(for: library.target, options: options).directoryURL
    let files = try FileManager.default.contentsOfDirectory(
      at: made, includingPropertiesForKeys: nil)
    for file in files where file.pathExtension == "json" {
      let module = file.lastPathComponent.prefix { $0 != "@" && $0 != "." }
      if module != library.name { continue }
      try FileManager.default.copyItem(
        at: file, to: folder.appending(path: file.lastPathComponent))
    }
  }

  private func convert(
    _ catalogue: URL, _ graphs: URL, to site: URL, name: String, basePath: String?,
    _ context: PluginContext
  ) throws {
    let process = Process()
    process.executableURL = try docc(context)
    process.arguments =
      [
        "convert", catalogue.path, "--additional-symbol-graph-dir", graphs.path,
        "--output-path", site.path, "--fallback-display-name", name,
        "--fallback-bundle-identifier", context.package.displayName,
        "--fallback-default-module-kind", "Library",
        "--warnings-as-errors",
      ] + (basePath.map { ["--hosting-base-path", $0] } ?? [])
    do {
      try process.run()
    } catch {
      throw DocsError.noDocC
    }
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw DocsError.refused }
  }

  /// Returns the path of the toolchain's `docc`. If the toolchain has none, returns the first
  /// `docc` in `PATH`.
  private func docc(_ context: PluginContext) throws(DocsError) -> URL {
    if let tool = try? context.tool(named: "docc") { return tool.url }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let found = path.split(separator: ":").lazy
      .map { URL(filePath: String($0)).appending(path: "docc") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    guard let found else { throw .noDocC }
    return found
  }
}
