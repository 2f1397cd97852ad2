internal import Fanout
import FanoutContract
internal import OperatorModel
internal import Testing

/// Programs that once failed, as they were found.
struct FoundProgramTests {
  @Test func `Q1: values of a publisher that a failure is cancelling are ignored`() throws {
    try expectAsReference(
      Program(
        .mergeMany([.driven(.init(.waits)), .driven(.init(.waits)), .driven(.init(.waits))]),
        steps: [.fail(2)],
        reactions: [.cancelled(0): [.send(1, 1)]]))
  }

  @Test func `Q1: a value requested while a failure cancels others does not delay the failure`()
    throws
  {
    try expectAsReference(
      Program(
        .flatMap(
          maxPublishers: .max(2), .driven(.init(.waits)), .driven(.init(.waits))),
        .subscriber(.max(1)),
        steps: [.send(0, 1), .send(1, 1), .send(0, 1), .send(2, 1), .send(2, 1), .fail(0)],
        reactions: [.cancelled(1): [.request(.max(1))]]))
  }

  @Test func `Q6: a one-by-one sink waits for its task even if resume() is called`() throws {
    try expectAsReference(
      Program(.just, .oneByOneTask, steps: [.resume, .run, .resume, .succeed(0), .run]))
  }

  @Test func `Q4: a value delivered inside the cancel starts no task`() throws {
    try expectAsReference(
      Program(
        .asyncMap(maxConcurrent: 2, .driven(.init(.waits, ignoresCancel: true))),
        steps: [.cancel],
        reactions: [.cancelled(0): [.send(0, 1)]]))
  }

  @Test func `Q2: a value delivered inside the cancel does not overflow a buffer`() throws {
    try expectAsReference(
      Program(
        .buffer(
          size: 0, .byRequest, .customError, .driven(.init(.waits, ignoresCancel: true))),
        steps: [.cancel],
        reactions: [.cancelled(0): [.send(0, 1)]]))
  }

  @Test func `D8: zip asks for nothing behind its last pair`() throws {
    try expectAsReference(
      Program(
        .merge(.driven(.init(.waits)), .zip(.driven(.init(.waits)), .just)), .oneByOne,
        steps: [.send(1, 1)]))
  }
}
