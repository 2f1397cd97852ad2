import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A wait ends with its event, or as soon as it is certain that the event can't come.
struct RecorderWaitingTests {
  let upstream = PassthroughSubject<Int, Broken>()
  // Never reached; this limit turns a hang into a failure.
  let patience = Duration.seconds(1800)

  /// Returns the text of a wait's error.
  private func complaint(
    _ reason: RecordingError.Reason, _ body: () async throws -> Void
  ) async -> String? {
    let error = await #expect(throws: RecordingError.self) { try await body() }
    #expect(error?.reason == reason)
    return error?.description
  }

  @Test func `a wait for recorded events returns at once`() async throws {
    let recorder = (1...3).publisher.record()
    #expect(try await recorder.waitForValues(2, within: .zero) == [1, 2])
    #expect(try await recorder.waitForValues(0, within: .zero) == [])
    #expect(try await recorder.waitForEnd(within: .zero) == .finished)
  }

  @Test func `a value from another thread resumes a wait`() async throws {
    let recorder = upstream.record()
    let sender = TestThread { for value in 1...3 { upstream.send(value) } }
    #expect(try await recorder.waitForValues(3, within: patience) == [1, 2, 3])
    #expect(sender.join())
  }

  @Test func `the terminal resumes a wait`() async throws {
    let recorder = upstream.record()
    async let first = recorder.waitForEnd(within: patience)
    async let second = recorder.waitForEnd(within: patience)
    upstream.send(completion: .failure(Broken()))
    #expect(try await first == .failure(Broken()))
    #expect(try await second == .failure(Broken()))
  }

  @Test func `the time limit ends a wait, and the error shows the events that came`() async {
    let recorder = upstream.record()
    upstream.send(1)
    let text = await complaint(.tooLate) {
      _ = try await recorder.waitForValues(2, within: .milliseconds(1))
    }
    #expect(
      text == """
        Expected 2 values, which did not come within 0.001 seconds. 1 value came.
        marbles: 1
        recorded:
          subscription
          1
        """)
  }

  @Test func `the end of the publisher ends a wait at once`() async {
    let recorder = upstream.record()
    async let text = complaint(.ended) {
      _ = try await recorder.waitForValues(1, within: patience)
    }
    upstream.send(completion: .finished)
    #expect(await text?.contains("can't come any more: the publisher has ended") == true)
  }

  @Test func `cancelling the recorder ends a wait at once`() async {
    let recorder = upstream.record()
    async let text = complaint(.cancelled) { try await recorder.waitForEnd(within: patience) }
    recorder.cancel()
    #expect(
      await text?.hasPrefix(
        "Expected the end, which can't come any more: the recorder was cancelled. 0 values came."
      ) == true)
  }

  @Test func `cancelling the task ends a wait at once`() async {
    let recorder = upstream.record()
    let task = Task { try await recorder.waitForValues(1, within: patience) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // The recording continues.
    upstream.send(1)
    #expect(recorder.values == [1])
  }

  @MainActor
  @Test func `a recorder works on an actor, with values that are not Sendable`() async throws {
    final class Model {
      let number: Int
      init(_ number: Int) { self.number = number }
    }
    let recorder = [Model(1), Model(2)].publisher.record()
    let models = try await recorder.waitForValues(2, within: .seconds(1800))
    #expect(models.map(\.number) == [1, 2])
  }

  @Test func `every waiting task is resumed, whichever thread sends`() async throws {
    let recorder = upstream.record()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for count in 1...40 {
        group.addTask { try await recorder.waitForValues(count, within: patience).count }
        group.addTask {
          upstream.send(count)
          return 0
        }
      }
      var sum = 0
      for try await count in group { sum += count }
      #expect(sum == 40 * 41 / 2)
    }
  }
}
