import Foundation

/// A page of `docs/`. A forge, such as GitHub, shows the file unchanged; the site shows an article
/// made from it.
struct Page {
  /// The name of the file, without its extension.
  let name: String
  private let url: URL
  private let lines: [Substring]

  /// The pages of the package, sorted by name.
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

  /// Checks that each page is listed on exactly one landing page, and that no link is broken.
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

  /// The text of the page, with links and headings converted to the form that DocC needs.
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

  /// The text of the page, with each link outside of code blocks replaced by the result of the
  /// closure, which gets the link and the number of its line.
  private func map(_ replace: (Link, Int) -> String) -> [String] {
    var pieces: [String] = []
    var prose: [String] = []
    // A link's text may wrap to the next line, so consecutive lines of prose are searched together.
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
        // DocC would show the backticks of a heading literally, so they are removed.
        prose.append(line.hasPrefix("#") ? line.filter { $0 != "`" } : String(line))
      }
    }
    finishProse(before: lines.count)
    return pieces
  }

  /// The replacement of a link; nil if the link is broken.
  private func resolve(_ link: Link, among pages: [Page]) -> String? {
    if link.target.contains("://") || link.target.hasPrefix("mailto:") { return link.source }
    let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let file = String(parts[0])
    let target = file.isEmpty ? self : pages.first { $0.name + ".md" == file }
    guard let target else {
      // A file that is not a page is not on the site, so only the text of the link is kept.
      let url = url.deletingLastPathComponent().appending(path: file)
      return FileManager.default.fileExists(atPath: url.path) ? "\(link.text)" : nil
    }
    guard parts.count == 2 else { return "[\(link.text)](doc:\(target.name))" }
    guard let heading = target.headings[String(parts[1])] else { return nil }
    return "[\(link.text)](doc:\(target.name)#\(heading))"
  }

  /// Maps the anchor that a forge gives a heading to the anchor that DocC gives it.
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
