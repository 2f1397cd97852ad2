import Fanout
import FanoutLifetime
import TestThreads
import Testing

/// Graphs and leak checks of live pipelines, while threads send to them, subscribe and cancel.
struct LooksBesideThreadsTests {
  /// The number of looks of each kind.
  private static let rounds = TestThreads.rounds(40)

  @Test func `graphs and leak checks beside running threads are right, each time`() async {
    let tracker = LifetimeTracker()
    let (app, model, pipelines) = tracker.perform {
      let app = App { tracker.track($0, "model") }
      let model = ScoreModel()
      app.track(model)
      app.scores.map(model.doubled).share(replay: .last(3)).sink { model.score = $0 }
        .store(in: &model.kept)
      app.level.sink { model.level = $0 }.store(in: &model.kept)
      let pipelines = PipelineKind.allCases.filter(\.isLive).map { $0.make() }
      return (app, model, pipelines)
    }
    app.model = model
    let company = Company()
    company.join(app)
    let kept = model.kept.count
    for _ in 0..<Self.rounds {
      let issues = tracker.issues(outliving: "it", at: SourcePlace())
      #expect(issues.count == 1)
      #expect(issues.first?.message.hasPrefix("`model` outlived it: retained by ") == true)
      let graph = OwnershipGraph(of: app.scores, app.level)
      #expect(graph.roots.count == 2)
    }
    #expect(company.leave())
    #expect(model.kept.count == kept)
    for pipeline in pipelines { pipeline.end(.cancel) }
    await app.end()
  }
}
