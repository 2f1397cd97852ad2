// swift-format-ignore-file
// Written by Docs/tools/draw-marbles from Docs/tools/marbles/changing.md: plays what the pictures of the
// reference show.

import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import Testing

struct ChangingMarbleTests {
  @Test func `map`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0--1-2--|", [1, 2, 3]))
    scene.expect(["10@0", "20@3", "30@5", "|@8"], of: upstream
      .map { $0 * 10 })
  }

  @Test func `map-key-path`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0--1-2--|", ["a", "ab", "abc"]))
    scene.expect(["1@0", "2@3", "3@5", "|@8"], of: upstream
      .map(\.count))
  }

  @Test func `map-two-key-paths`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0--1--2--|", ["abc", "pqr", "xyz"]))
    scene.expect(["ac@0", "pr@3", "xz@6", "|@9"], of: upstream
      .map(\.first, \.last))
  }

  @Test func `map-three-key-paths`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0--1--2--|", ["abc", "pqrs", "xz"]))
    scene.expect(["3ac@0", "4ps@3", "2xz@6", "|@9"], of: upstream
      .map(\.count, \.first, \.last))
  }

  @Test func `try-map`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0--1-2", [1, 2, -1], cancelledAt: 5))
    scene.expect(["10@0", "20@3", "#@5"], of: upstream
      .tryMap { try checked($0) * 10 })
  }

  @Test func `compact-map`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0--1-2--|", ["1", "x", "3"]))
    scene.expect(["1@0", "3@5", "|@8"], of: upstream
      .compactMap { Int($0) })
  }

  @Test func `try-compact-map`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-3", [1, 2, 3, -1], cancelledAt: 6))
    scene.expect(["10@0", "30@4", "#@6"], of: upstream
      .tryCompactMap { try checked($0) == 2 ? nil : $0 * 10 })
  }

  @Test func `replace-nil`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0--1-2--|", [1, nil, 3]))
    scene.expect(["1@0", "0@3", "3@5", "|@8"], of: upstream
      .replaceNil(with: 0))
  }

  @Test func `scan`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0--1-2--|", [1, 2, 3]))
    scene.expect(["11@0", "13@3", "16@5", "|@8"], of: upstream
      .scan(10) { $0 + $1 })
  }

  @Test func `try-scan`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0--1-2", [1, 2, -1], cancelledAt: 5))
    scene.expect(["11@0", "13@3", "#@5"], of: upstream
      .tryScan(10) { try $0 + checked($1) })
  }

  @Test func `decode`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0--1-2", ["12", "34", "x"], cancelledAt: 5))
    scene.expect(["12@0", "34@3", "#@5"], of: upstream
      .decode(type: Int.self, decoder: coder))
  }

  @Test func `encode`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0--1-2--|", [12, 34, 56]))
    scene.expect(["12@0", "34@3", "56@5", "|@8"], of: upstream
      .encode(encoder: coder))
  }

  @Test func `breakpoint`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0--1-2--|", [1, 2, 3]))
    scene.expect(["1@0", "2@3", "3@5", "|@8"], of: upstream
      .breakpoint(receiveOutput: { $0 < 0 }))
  }

  @Test func `breakpoint-on-error`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0--1-2--|", [1, 2, 3]))
    scene.expect(["1@0", "2@3", "3@5", "|@8"], of: upstream
      .breakpointOnError())
  }
}
