// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// The command `swift package ambient-audit`.
@main
struct AmbientAudit: CommandPlugin {
  static let usage = """
    Usage: swift package ambient-audit [--target NAME]… [--strict]

    Lists what targets call that escapes the ambient contexts (the system's clocks, sleeps, zones,
    randomness and output), and then what leaves or blocks a scope of virtual time. It builds
    them for debugging and reads the symbols of their objects.

    Options:
      --target NAME  audits that target (by default, all libraries and programs of the package)
      --strict       fails (exit status 1) if something escapes
      --help         prints this

    The file .ambient-audit in the package's folder says what may escape, where and why.
    `swift package ambient-audit-fix` replaces the calls that a machine can replace.
    """

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var arguments = ArgumentExtractor(arguments)
    if arguments.extractFlag(named: "help") > 0 { return print(Self.usage) }
    if arguments.extractFlag(named: "fix") > 0 { throw AuditError.fixIsAnotherCommand }
    let strict = arguments.extractFlag(named: "strict") > 0
    let names = arguments.extractOption(named: "target")
    if let rest = arguments.remainingArguments.first {
      throw AuditError.usage("“\(rest)” is no option of ambient-audit", Self.usage)
    }
    var audit = try PackageAudit(context, packageManager)
    var escaped = 0
    for target in try audit.targets(named: names) {
      let (open, allowed) = try audit.findings(in: target)
      escaped += audit.report(open, allowed: allowed, of: target)
    }
    // Unused entries are printed only if all targets were audited. Otherwise, an entry may be
    // unused only because the target that it is for was left out.
    if names.isEmpty { for entry in audit.allowed.unused { print(entry) } }
    if strict, escaped > 0 { throw AuditError.escaped(escaped) }
  }
}
