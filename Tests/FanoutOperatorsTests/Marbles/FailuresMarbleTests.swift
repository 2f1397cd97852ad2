// swift-format-ignore-file
// Written by Docs/tools/draw-marbles from Docs/tools/marbles/failures.md: plays what the pictures of the
// reference show.

import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import Testing

struct FailuresMarbleTests {
  @Test func `catch`() {
    let scene = MarbleScene()
    let spare = scene.publisher(.init("-0-1-|", [7, 8], at: 4), error: Broken())
    let upstream = scene.publisher(.init("0-1-#", [1, 2]), error: Broken())
    scene.expect(["1@0", "2@2", "7@5", "8@7", "|@9"], of: upstream
      .catch { _ in spare })
  }

  @Test func `try-catch`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-#", [1, 2]), error: Broken())
    scene.expect(["1@0", "2@2", "#@4"], of: upstream
      .tryCatch { _ -> Just<Int> in throw Late() })
  }

  @Test func `retry`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-#", [1, 2]), .init("-0-1-|", [3, 4], at: 4), error: Broken())
    scene.expect(["1@0", "2@2", "3@5", "4@7", "|@9"], of: upstream
      .retry(1))
  }

  @Test func `replace-error`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-#", [1, 2]), error: Broken())
    scene.expect(["1@0", "2@2", "0@4", "|@4"], of: upstream
      .replaceError(with: 0))
  }

  @Test func `map-error`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-#", [1, 2]), error: Broken())
    scene.expect(["1@0", "2@2", "#@4"], of: upstream
      .mapError { _ in Late() })
  }

  @Test func `assert-no-failure`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-|", [1, 2, 3]))
    scene.expect(["1@0", "2@2", "3@4", "|@6"], of: upstream
      .assertNoFailure())
  }
}
