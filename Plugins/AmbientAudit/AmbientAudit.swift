// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// The command `swift package ambient-audit`.
@main
struct AmbientAudit: CommandPlugin {
  static let usage = """
    Usage: swift package ambient-audit [--target NAME]… [--strict]

    Lists the calls in targets that escape the ambient contexts (the system's clocks, sleeps, zones,
    randomness and output), and then the calls that leave or block a scope of virtual time. The
    audit builds the targets for debugging, and reads the symbols of their objects.

    Options:
      --target NAME  audits this target (default: all libraries and programs of the package)
      --strict       fails (exit status 1) if a call escapes
      --help         prints this help

    The file .ambient-audit in the package's folder lists the calls that may escape, with places and
    reasons. `swift package ambient-audit-fix` replaces calls automatically where possible.
    """

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var arguments = ArgumentExtractor(arguments)
    if arguments.extractFlag(named: "help") > 0 { return print(Self.usage) }
    if arguments.extractFlag(named: "fix") > 0 { throw AuditError.fixIsAnotherCommand }
    let strict = arguments.extractFlag(named: "strict") > 0
    let names = arguments.extractOption(named: "target")
    if let rest = arguments.remainingArguments.first {
      throw AuditError.usage("unknown argument “\(rest)” of ambient-audit", Self.usage)
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
