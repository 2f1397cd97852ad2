// swift-format-ignore-file
// Written by Docs/tools/draw-marbles from Docs/tools/marbles/reducing.md: plays what the pictures of the
// reference show.

import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import Testing

struct ReducingMarbleTests {
  @Test func `collect`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-|", [1, 2, 3]))
    scene.expect(["[1,2,3]@6", "|@6"], of: upstream
      .collect())
  }

  @Test func `collect-by-count`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-3-4-|", [1, 2, 3, 4, 5]))
    scene.expect(["[1,2]@2", "[3,4]@6", "[5]@10", "|@10"], of: upstream
      .collect(2))
  }

  @Test func `reduce`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-|", [1, 2, 3]))
    scene.expect(["16@6", "|@6"], of: upstream
      .reduce(10) { $0 + $1 })
  }

  @Test func `try-reduce`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2", [1, 2, -1], cancelledAt: 4))
    scene.expect(["#@4"], of: upstream
      .tryReduce(10) { try $0 + checked($1) })
  }

  @Test func `count`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-|", [7, 8, 9]))
    scene.expect(["3@6", "|@6"], of: upstream
      .count())
  }

  @Test func `max`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-|", [1, 3, 2]))
    scene.expect(["3@6", "|@6"], of: upstream
      .max())
  }

  @Test func `max-by`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-|", ["a", "abc", "xy"]))
    scene.expect(["abc@6", "|@6"], of: upstream
      .max { $0.count < $1.count })
  }

  @Test func `try-max`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2", [1, 3, -1], cancelledAt: 4))
    scene.expect(["#@4"], of: upstream
      .tryMax { try checked($0) < checked($1) })
  }

  @Test func `min`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-|", [2, 1, 3]))
    scene.expect(["1@6", "|@6"], of: upstream
      .min())
  }

  @Test func `min-by`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-|", ["xy", "a", "abc"]))
    scene.expect(["a@6", "|@6"], of: upstream
      .min { $0.count < $1.count })
  }

  @Test func `try-min`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2", [2, 1, -1], cancelledAt: 4))
    scene.expect(["#@4"], of: upstream
      .tryMin { try checked($0) < checked($1) })
  }

  @Test func `contains`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0--1", [1, 2], cancelledAt: 3))
    scene.expect(["true@3", "|@3"], of: upstream
      .contains(2))
  }

  @Test func `contains-where`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-|", [1, 2, 3]))
    scene.expect(["false@6", "|@6"], of: upstream
      .contains(where: { $0 > 5 }))
  }

  @Test func `try-contains`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2", [1, 2, -1], cancelledAt: 4))
    scene.expect(["#@4"], of: upstream
      .tryContains(where: { try checked($0) > 5 }))
  }

  @Test func `all-satisfy`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2", [1, 2, 7], cancelledAt: 4))
    scene.expect(["false@4", "|@4"], of: upstream
      .allSatisfy { $0 < 5 })
  }

  @Test func `try-all-satisfy`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2", [1, 2, -1], cancelledAt: 4))
    scene.expect(["#@4"], of: upstream
      .tryAllSatisfy { try checked($0) < 5 })
  }
}
