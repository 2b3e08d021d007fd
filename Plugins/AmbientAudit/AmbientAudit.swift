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
    """

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    var arguments = ArgumentExtractor(arguments)
    if arguments.extractFlag(named: "help") > 0 { return print(Self.usage) }
    let strict = arguments.extractFlag(named: "strict") > 0
    let names = arguments.extractOption(named: "target")
    if let rest = arguments.remainingArguments.first {
      throw AuditError.usage("“\(rest)” is no option of ambient-audit")
    }
    #if os(Linux)
      try audit(try targets(context, names), context, isWhole: names.isEmpty, strict: strict)
    #else
      throw AuditError.unsupportedPlatform
    #endif
  }

  private func targets(
    _ context: PluginContext, _ names: [String]
  ) throws(AuditError) -> [any SourceModuleTarget] {
    let all = context.package.targets.compactMap { $0 as? any SourceModuleTarget }
    if names.isEmpty { return all.filter { $0.kind == .generic || $0.kind == .executable } }
    var chosen: [any SourceModuleTarget] = []
    for name in names {
      guard let target = all.first(where: { $0.name == name }) else {
        let known = all.map(\.name).joined(separator: ", ")
        throw .usage("“\(name)” is no target of this package, which has \(known)")
      }
      chosen.append(target)
    }
    return chosen
  }

  private func audit(
    _ targets: [any SourceModuleTarget], _ context: PluginContext, isWhole: Bool, strict: Bool
  ) throws {
    var allowed = try AllowList(package: context.package.directoryURL)
    let disassembler = try Tool("llvm-objdump", context)
    let demangler = try Tool("swift-demangle", context)
    var escaped = 0
    for target in targets {
      try build(target)
      let audit = TargetAudit(
        target: target, package: context.package.directoryURL, products: products(context),
        disassembler: disassembler, demangler: demangler)
      let findings = try audit.findings()
      let open = findings.filter { !allowed.allows($0) }
      for finding in open { print(finding) }
      let leaving = open.count { $0.escape.kind.deed != nil }
      let sum = Self.sum(open.count - leaving, allowed: findings.count - open.count)
      print("\(target.name): \(sum)\(Self.sum(leaving: leaving))")
      escaped += open.count - leaving
    }
    // Unused entries are printed only if all targets were audited. Otherwise, an entry may be
    // unused only because the target that it is for was left out.
    if isWhole { for entry in allowed.unused { print(entry) } }
    if strict, escaped > 0 { throw AuditError.escaped(escaped) }
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

  private func build(_ target: any SourceModuleTarget) throws {
    let parameters = PackageManager.BuildParameters(configuration: .debug, logging: .concise)
    let result = try packageManager.build(.target(target.name), parameters: parameters)
    if !result.succeeded { throw AuditError.buildFailed(target: target.name, log: result.logText) }
  }

  /// The folder of debug builds, `SCRATCH/debug`. The plugin's own folder,
  /// `SCRATCH/plugins/NAME/outputs`, is three levels below `SCRATCH`.
  private func products(_ context: PluginContext) -> URL {
    context.pluginWorkDirectoryURL.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "debug")
  }
}
