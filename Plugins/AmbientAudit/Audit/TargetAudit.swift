// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// Finds the calls that the audit reports, in the object files of one target's debug build.
struct TargetAudit {
  let target: any SourceModuleTarget
  /// The names of the package's modules.
  let modules: [String]
  let package: URL
  /// The folder that SwiftPM builds debug products in.
  let products: URL
  let disassembler: Tool
  let demangler: Tool

  /// The findings, merged and sorted by `Finding.merged(_:)`.
  func findings() throws(AuditError) -> [Finding] {
    let sources = Dictionary(
      target.sourceFiles.map { ($0.url.lastPathComponent + ".o", $0.url.path) },
      uniquingKeysWith: { first, _ in first })
    let references = Reference.all(
      in: try disassembler.run(
        ["--disassemble", "--reloc", "--line-numbers", "--no-show-raw-insn"]
          + objects(sources)))
    let names = try demangle(
      Set(references.flatMap { [$0.symbol, $0.function] }), simplified: false)
    let symbols = Set(references.map(\.symbol))
    let escapes = names.filter { symbols.contains($0.key) }.compactMapValues(Escape.find)
    let callers = Set(references.map(\.function))
    let own = callers.filter { isOwn($0, names[$0] ?? "") }
    let foreign = callers.filter { $0.hasPrefix("$s") && !isOf(modules, $0, names[$0] ?? "") }
    let copies = escapesOfCopies(references.filter { foreign.contains($0.function) }, escapes)
    let made = Dictionary(
      uniqueKeysWithValues: symbols.map { symbol in
        (symbol, escapes[symbol].map { [$0] } ?? copies[Self.body(symbol), default: []])
      })
    let hits = references.filter { own.contains($0.function) }.flatMap { reference in
      made[reference.symbol, default: []].map { (reference, $0) }
    }
    let functions = try demangle(
      Set(hits.flatMap { [$0.0.function, Self.body($0.0.symbol)] }), simplified: true)
    let called = names.filter { escapes[$0.key] != nil }.mapValues(Escape.bare)
    var findings: [Finding] = []
    for (hit, escape) in hits {
      // The function also sets the zone of the calendar that it makes, for example.
      if let cure = escape.unless,
        references.contains(where: {
          $0.function == hit.function && names[$0.symbol].map(Escape.bare)?.hasPrefix(cure) == true
        })
      {
        continue
      }
      // A log's own `write(_:)` may print: it implements the log, so it cannot write to the log.
      let isLog = names[hit.function]?.contains("Ambient.LogRecord) -> ()") ?? false
      if escape.kind == .writes, isLog { continue }
      // A reference without a line is in code that the compiler generates for a conformance. No
      // call in the source corresponds to it.
      if escape.kind == .leaves, hit.line == nil { continue }
      // Top-level code runs on the main actor, and refers to `MainActor` to return to it after an
      // `await`.
      if escape.name == "MainActor", isTopLevel(hit.function) { continue }
      let object = hit.object.split(separator: "/").last.map(String.init) ?? hit.object
      let file = hit.file ?? sources[object] ?? object
      findings.append(
        Finding(
          escape: escape, file: within(package, file), line: hit.line,
          functions: [readable(functions[hit.function] ?? hit.function)],
          copy: escapes[hit.symbol] == nil ? functions[Self.body(hit.symbol)] : nil,
          option: ClockOption(ofCall: called[hit.symbol] ?? escape.symbols[0])))
    }
    return Finding.merged(findings)
  }

  /// The calls that escape the contexts in code of other packages that the compiler copies into the
  /// target's objects, by the name of the copied function: default arguments, and functions that
  /// are always emitted into their client. Such a call is the caller's, since no audit of the other
  /// package finds it.
  private func escapesOfCopies(
    _ copied: [Reference], _ escapes: [String: Escape]
  ) -> [String: [Escape]] {
    let users = Dictionary(grouping: copied) { Self.body($0.symbol) }
    var found: [String: [Escape]] = [:]
    for (symbol, escape) in escapes where escape.kind == .escapes && escape.unless == nil {
      var rest = [Self.body(symbol)]
      while let symbol = rest.popLast() {
        for function in Set((users[symbol] ?? []).map { Self.body($0.function) }) {
          if found[function, default: []].contains(where: { $0.name == escape.name }) { continue }
          found[function, default: []].append(escape)
          rest.append(function)
        }
      }
    }
    return found
  }

  /// The mangled name without the suffix of a part of an asynchronous function.
  private static func body(_ symbol: String) -> String {
    guard symbol.hasSuffix("_") || symbol.hasSuffix("Tu") else { return symbol }
    return symbol.replacing(#/T(?:u|[QY]\d*_)$/#, with: "")
  }

  /// The objects of the target's present sources. The folder may also hold objects that are left
  /// over from older builds.
  private func objects(_ sources: [String: String]) throws(AuditError) -> [String] {
    let folder = products.appending(path: "\(target.moduleName).build")
    let all =
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL } ?? []
    let objects = all.filter { sources[$0.lastPathComponent] != nil }.map(\.path).sorted()
    guard !objects.isEmpty else { throw .noObjects(target: target.name, folder: folder.path) }
    return objects
  }

  /// Whether the function comes from the target's source. The objects also contain copies of
  /// library functions, whose calls an audit of the library reports. The getter of a key path names
  /// only the module of the property, but is emitted where the key path is written.
  private func isOwn(_ function: String, _ name: String) -> Bool {
    !function.hasPrefix("$s") || isOf([target.moduleName], function, name)
      || function.hasSuffix("TK")  // A key path, which belongs to the code that writes it.
  }

  /// Whether one of the modules declares the function. A mangled name may abbreviate the module's
  /// name by words that came before, so the demangled one counts, too. That of a closure at the top
  /// level does not have the module.
  private func isOf(_ modules: [String], _ function: String, _ name: String) -> Bool {
    modules.contains { module in
      function.contains("\(module.count)\(module)") || name.contains("(extension in \(module)):")
        || name.hasPrefix("\(module).") || name.contains(" \(module).")
    }
  }

  /// Whether the function is compiled from the top-level code of a script.
  private func isTopLevel(_ function: String) -> Bool {
    function == "main" || function.hasPrefix("async_Main")
  }

  /// The function's name for reports. The demangled name of a closure in top-level code ends in
  /// ` in `, without the context that should follow.
  private func readable(_ function: String) -> String {
    function.hasSuffix(" in ") ? function + "top-level code" : function
  }

  private func demangle(
    _ names: Set<String>, simplified: Bool
  ) throws(AuditError) -> [String: String] {
    let names = names.sorted()
    let demangled = try demangler.run(
      simplified ? ["--simplified"] : [], input: names.joined(separator: "\n") + "\n")
    return Dictionary(zip(names, demangled), uniquingKeysWith: { first, _ in first })
  }

  private func within(_ folder: URL, _ path: String) -> String {
    let prefix = folder.standardizedFileURL.path
    let start = prefix.hasSuffix("/") ? prefix : prefix + "/"
    return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : path
  }
}
