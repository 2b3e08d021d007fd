import Foundation

/// A page of `docs/`, which is read on a forge as it is, and becomes an article of the site.
struct Page {
  /// The name of the file, without its end.
  let name: String
  private let url: URL
  private let lines: [Substring]

  /// The pages of the package, by name.
  static func all(in package: URL) throws(DocsError) -> [Page] {
    let folder = package.appending(path: "docs")
    let files: [URL]
    do {
      files = try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
    } catch {
      throw .unreadable(folder.path, "\(error)")
    }
    var pages: [Page] = []
    for file in files where file.pathExtension == "md" { pages.append(try Page(file)) }
    return pages.sorted { $0.name < $1.name }
  }

  private init(_ url: URL) throws(DocsError) {
    self.url = url
    name = url.deletingPathExtension().lastPathComponent
    do {
      lines = try String(contentsOf: url, encoding: .utf8)
        .split(separator: "\n", omittingEmptySubsequences: false)
    } catch {
      throw .unreadable(url.path, "\(error)")
    }
  }

  /// Checks that each page is listed by one landing page, and that no link leads nowhere.
  static func check(
    _ pages: [Page], libraries: [(name: String, landingPage: URL)]
  ) throws(DocsError) {
    var faults: [String] = []
    var texts: [(name: String, text: String)] = []
    for library in libraries {
      guard let text = try? String(contentsOf: library.landingPage, encoding: .utf8) else {
        throw .unreadable(library.landingPage.path, "it is no text in UTF-8")
      }
      texts.append((library.name, text))
    }
    for page in pages {
      let owners = texts.filter { $0.text.contains("- <doc:\(page.name)>") }.map(\.name)
      if owners.count != 1 {
        let found = owners.isEmpty ? "no landing page lists it" : "several landing pages list it"
        faults.append(
          "docs/\(page.name).md: \(found): write “- <doc:\(page.name)>” in the topics of one library"
        )
      }
      faults += page.faults(among: pages)
    }
    if !faults.isEmpty { throw .faults(faults) }
  }

  /// The text with links between pages, and headings, as DocC has them.
  func article(among pages: [Page]) -> String {
    map { link, _ in resolve(link, among: pages) ?? link.source }
      .joined(separator: "\n") + "\n"
  }

  private func faults(among pages: [Page]) -> [String] {
    var faults: [String] = []
    _ = map { link, line in
      if resolve(link, among: pages) == nil {
        faults.append("docs/\(name).md:\(line): “\(link.target)” leads nowhere")
      }
      return link.source
    }
    return faults
  }

  /// A link of Markdown, `[text](target)`.
  private struct Link {
    let text: String
    let target: String
    var source: String { "[\(text)](\(target))" }
  }

  /// The lines, each link outside of code replaced by what the closure makes of it and its line.
  private func map(_ replace: (Link, Int) -> String) -> [String] {
    var pieces: [String] = []
    var prose: [String] = []
    // A link's text may go on from one line to the next, so lines of prose are looked at together.
    func finishProse(before end: Int) {
      let text = prose.joined(separator: "\n")
      let first = end - prose.count
      if !prose.isEmpty {
        pieces.append(
          text.replacing(/\[(?<text>[^\[\]]*)\]\((?<target>[^()\s]+)\)/) { match in
            let line = text[..<match.range.lowerBound].count { $0 == "\n" } + first + 1
            return replace(
              Link(text: String(match.text), target: String(match.target)), line)
          })
      }
      prose = []
    }
    var isCode = false
    for (index, line) in lines.enumerated() {
      let isFence = line.drop(while: { $0 == " " }).hasPrefix("```")
      if isFence { isCode.toggle() }
      if isCode || isFence {
        finishProse(before: index)
        pieces.append(String(line))
      } else {
        // DocC shows the marks of code in a heading as they are.
        prose.append(line.hasPrefix("#") ? line.filter { $0 != "`" } : String(line))
      }
    }
    finishProse(before: lines.count)
    return pieces
  }

  /// What stands in the place of a link, or nil if it leads nowhere.
  private func resolve(_ link: Link, among pages: [Page]) -> String? {
    if link.target.contains("://") || link.target.hasPrefix("mailto:") { return link.source }
    let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let file = String(parts[0])
    let target = file.isEmpty ? self : pages.first { $0.name + ".md" == file }
    guard let target else {
      // A file beside `docs/` is no part of the site.
      let url = url.deletingLastPathComponent().appending(path: file)
      return FileManager.default.fileExists(atPath: url.path) ? "\(link.text)" : nil
    }
    guard parts.count == 2 else { return "[\(link.text)](doc:\(target.name))" }
    guard let heading = target.headings[String(parts[1])] else { return nil }
    return "[\(link.text)](doc:\(target.name)#\(heading))"
  }

  /// The anchors of DocC, by those of forges.
  private var headings: [String: String] {
    var headings: [String: String] = [:]
    var isCode = false
    for line in lines {
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode, line.hasPrefix("#") else { continue }
      let title = line.drop { $0 == "#" }.drop { $0 == " " }.filter { $0 != "`" }
      let words = title.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
      let anchor = words.map { $0 == " " ? "-" : String($0) }.joined()
      headings[anchor] = title.map { $0 == " " ? "-" : String($0) }.joined()
    }
    return headings
  }
}
