// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// The audit of a package: its targets, what they may call, and what they call.
struct PackageAudit {
  let context: PluginContext
  let manager: PackageManager
  private(set) var allowed: AllowList
  private let disassembler: Tool
  private let demangler: Tool
  private let all: [any SourceModuleTarget]

  init(_ context: PluginContext, _ manager: PackageManager) throws(AuditError) {
    #if os(Linux)
      self.context = context
      self.manager = manager
      allowed = try AllowList(package: context.package.directoryURL)
      disassembler = try Tool("llvm-objdump", context)
      demangler = try Tool("swift-demangle", context)
      all = context.package.targets.compactMap { $0 as? any SourceModuleTarget }
    #else
      throw .unsupportedPlatform
    #endif
  }

  /// The targets of those names; without names, all libraries and programs.
  func targets(named names: [String]) throws(AuditError) -> [any SourceModuleTarget] {
    if names.isEmpty { return all.filter { $0.kind == .generic || $0.kind == .executable } }
    var chosen: [any SourceModuleTarget] = []
    for name in names {
      guard let target = all.first(where: { $0.name == name }) else {
        throw .unknownTarget(name, known: all.map(\.name))
      }
      chosen.append(target)
    }
    return chosen
  }

  /// Builds the target for debugging and returns the messages of a build that failed.
  func build(_ target: any SourceModuleTarget) throws -> String? {
    let parameters = PackageManager.BuildParameters(configuration: .debug, logging: .concise)
    let result = try manager.build(.target(target.name), parameters: parameters)
    return result.succeeded ? nil : result.logText
  }

  /// Builds the target and returns the findings that nothing allows, and the number of the others.
  mutating func findings(
    in target: any SourceModuleTarget
  ) throws -> (open: [Finding], allowed: Int) {
    if let log = try build(target) { throw AuditError.buildFailed(target: target.name, log: log) }
    let audit = TargetAudit(
      target: target, modules: all.map(\.moduleName), package: context.package.directoryURL,
      products: products, disassembler: disassembler, demangler: demangler)
    let findings = try audit.findings()
    let open = findings.filter { !allowed.allows($0) }
    return (open, findings.count - open.count)
  }

  /// Prints the findings, and a line with their sum. Returns how many calls escape.
  @discardableResult
  func report(_ open: [Finding], allowed: Int, of target: any SourceModuleTarget) -> Int {
    for finding in open { print(finding) }
    let leaving = open.count { $0.escape.kind.deed != nil }
    let sums = Self.sum(open.count - leaving, allowed: allowed) + Self.sum(leaving: leaving)
    print("\(target.name): \(sums)")
    return open.count - leaving
  }

  /// A summary, such as `2 calls escape the ambient contexts, 1 is allowed`.
  static func sum(_ count: Int, allowed: Int = 0) -> String {
    let calls =
      switch count {
      case 0: "no call escapes"
      case 1: "1 call escapes"
      default: "\(count) calls escape"
      }
    return "\(calls) the ambient contexts"
      + (allowed > 0 ? ", \(allowed) \(allowed == 1 ? "is" : "are") allowed" : "")
  }

  private static func sum(leaving count: Int) -> String {
    switch count {
    case 0: ""
    case 1: "; 1 place leaves or blocks a scope of virtual time"
    default: "; \(count) places leave or block a scope of virtual time"
    }
  }

  /// The folder of debug builds, `SCRATCH/debug`. The plugin's own folder,
  /// `SCRATCH/plugins/NAME/outputs`, is three levels below `SCRATCH`.
  private var products: URL {
    context.pluginWorkDirectoryURL.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "debug")
  }
}
