import Fanout
import Testing

@testable import FanoutTestSupport

struct ExpectNoLeaksAtExitTests {
  /// The number of leaks that a test makes.
  ///
  /// LeakSanitizer takes every word that looks like an address for a reference. An old one on a stack can hide
  /// one leak, but not all of them.
  private static let count = 20

  @Test func `ends well when nothing leaks`() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      await expectNoLeaksAtExit {
        let subject = PassthroughSubject<Int, Never>()
        let probe = Probe()
        let watching = subject.share(replay: .all).sink { probe.take($0) }
        subject.send(1)
        await Task.yield()
        watching.cancel()
      }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    let note = "expectNoLeaksAtExit checked nothing: "
    #expect(text.contains(note) == !LeakSanitizer.isChecking)
  }

  @Test(.enabled(if: LeakSanitizer.isChecking))
  func `fails when objects keep each other alive`() async {
    await #expect(processExitsWith: .failure) {
      await expectNoLeaksAtExit {
        for _ in 0..<Self.count { _ = Cycle() }
      }
    }
  }

  @Test(.enabled(if: LeakSanitizer.isChecking))
  func `O3: fails when a subject and a sink keep each other alive`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await expectNoLeaksAtExit {
        for _ in 0..<Self.count {
          PassthroughSubject<Int, Never>().subscribe(
            Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
        }
      }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("LeakSanitizer: detected memory leaks"))
  }

  @Test(.enabled(if: LeakSanitizer.isChecking))
  func `fails when a sink captures the model that keeps it`() async {
    await #expect(processExitsWith: .failure) {
      await expectNoLeaksAtExit {
        for _ in 0..<Self.count {
          let subject = PassthroughSubject<Int, Never>()
          Capturing().start(subject)
          await Task.yield()
        }
      }
    }
  }

  @Test func `fails when the operation throws`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await expectNoLeaksAtExit { throw CancellationError() }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("expectNoLeaksAtExit: the operation threw CancellationError()"))
  }

  @Test func `the options that switch the sanitizer off are known`() {
    #expect(!LeakSanitizer.isSwitchedOff(in: []))
    #expect(!LeakSanitizer.isSwitchedOff(in: ["", "detect_leaks=1:halt_on_error=0"]))
    #expect(LeakSanitizer.isSwitchedOff(in: ["halt_on_error=0:detect_leaks=0"]))
    #expect(LeakSanitizer.isSwitchedOff(in: ["", "detect_leaks=false"]))
    #expect(!LeakSanitizer.isSwitchedOff(in: ["detect_leaks=0 detect_leaks=1"]))
  }
}

private final class Capturing: Sendable {
  private let cancellables = CurrentValueSubject<[AnyCancellable], Never>([])

  func start(_ subject: PassthroughSubject<Int, Never>) {
    cancellables.value.append(subject.sink { self.take($0) })
  }

  private func take(_ value: Int) {}
}
