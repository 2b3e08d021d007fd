// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// The command `swift package ambient-audit-fix`. It is not an option of `ambient-audit`, since
/// SwiftPM asks for the permission to write before each run of a command that may write.
@main
struct AmbientAuditFix: CommandPlugin {
  static let usage = """
    Usage: swift package --allow-writing-to-package-directory ambient-audit-fix [--target NAME]…

    Replaces the calls of the audit that a machine can replace, imports Ambient where that is
    missing, and lists the others. What does not compile afterwards is taken back.

    Options:
      --target NAME  corrects that target (by default, all libraries and programs of the package)
      --allow-dirty  changes files although not all changes are committed
      --help         prints this
    """

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var arguments = ArgumentExtractor(arguments)
    if arguments.extractFlag(named: "help") > 0 { return print(Self.usage) }
    let allowsChanges = arguments.extractFlag(named: "allow-dirty") > 0
    let names = arguments.extractOption(named: "target")
    if let rest = arguments.remainingArguments.first {
      throw AuditError.usage("“\(rest)” is no option of ambient-audit-fix", Self.usage)
    }
    if !allowsChanges { try requireCommitted(context) }
    var audit = try PackageAudit(context, packageManager)
    var repairs: [(target: any SourceModuleTarget, repair: Repair)] = []
    for target in try audit.targets(named: names) {
      let open = try audit.findings(in: target).open
      let repair = try Repair(open, of: target, in: context.package.directoryURL)
      // All targets are looked at before anything is written.
      if !repair.isEmpty, !dependsOnAmbient(target) { throw AuditError.noAmbient(target.name) }
      repairs.append((target, repair))
    }
    for (target, repair) in repairs {
      let count = try apply(repair, to: target, audit)
      let (open, allowed) = try audit.findings(in: target)
      print("\(target.name): \(count) \(count == 1 ? "call" : "calls") replaced")
      audit.report(open, allowed: allowed, of: target)
    }
  }

  /// Writes the replacements, and takes back those without which the target compiles. Returns the
  /// number of replacements that remain.
  private func apply(
    _ repair: Repair, to target: any SourceModuleTarget, _ audit: PackageAudit
  ) throws -> Int {
    var repair = repair
    try repair.write()
    while !repair.isEmpty, let log = try audit.build(target) {
      repair.takeBack(log)
      try repair.write()
    }
    return repair.count
  }

  private func dependsOnAmbient(_ target: any SourceModuleTarget) -> Bool {
    target.dependencies.contains { dependency in
      switch dependency {
      case .target(let target): target.name == "Ambient"
      case .product(let product): product.targets.contains { $0.name == "Ambient" }
      @unknown default: false
      }
    }
  }

  private func requireCommitted(_ context: PluginContext) throws(AuditError) {
    let folder = context.package.directoryURL.path
    let changes: [String]
    do {
      changes = try Tool("git", context)
        .run(["-C", folder, "status", "--porcelain", "--", ".", ":!.build"])
        .filter { !$0.isEmpty }
    } catch {
      throw .notInGit(folder)
    }
    if let first = changes.first {
      throw .uncommitted(changes.count, first: "\(first.dropFirst(3))")
    }
  }
}
