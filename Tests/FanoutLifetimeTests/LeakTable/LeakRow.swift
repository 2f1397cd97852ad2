import FanoutLifetime
import Testing

/// One way to leak, with the report that a check must give, and the corrected code.
struct LeakRow: Sendable, CustomTestStringConvertible {
  /// Code that an app runs with a model, or without one.
  typealias Code = @Sendable (ScoreModel, App) async -> Void

  let name: String
  /// Texts that the report must contain: first the holder, or the honest word that it cannot be known.
  let report: [String]
  /// Whether the code leaks the model; otherwise it leaves a subscription or a loop behind.
  let leaksModel: Bool
  /// Whether it has a task, which may release its objects a little later.
  let takesTime: Bool
  private let leak: Code
  private let clean: Code

  init(
    _ name: String, leaksModel: Bool = true, takesTime: Bool = false, says report: String...,
    leak: @escaping Code,
    clean: @escaping Code
  ) {
    self.name = name
    self.report = report
    self.leaksModel = leaksModel
    self.takesTime = takesTime
    self.leak = leak
    self.clean = clean
  }

  var testDescription: String { name }

  /// Runs the code that leaks, or its twin.
  ///
  /// - Returns: The model, which the check is to release.
  func run(leaks: Bool, in app: App) async -> ScoreModel {
    let model = ScoreModel()
    if leaksModel || !leaks { app.track(model) }
    app.model = model
    await (leaks ? leak : clean)(model, app)
    return model
  }

  /// Every row.
  static let all =
    closures + assigning + ownObjects + values + connections + tasks + loops + callbacks + queues
    + actors
}

/// The text of a report if no holder is known.
let holderUnknown = "nothing that Fanout knows of holds it"
