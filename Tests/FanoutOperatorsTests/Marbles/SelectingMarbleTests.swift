// swift-format-ignore-file
// Written by Docs/tools/draw-marbles from Docs/tools/marbles/selecting.md: plays what the pictures of the
// reference show.

import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import Testing

struct SelectingMarbleTests {
  @Test func `filter`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-3-|", [1, 2, 1, 3]))
    scene.expect(["2@2", "3@6", "|@8"], of: upstream
      .filter { $0 > 1 })
  }

  @Test func `try-filter`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-3", [1, 2, 3, -1], cancelledAt: 6))
    scene.expect(["2@2", "3@4", "#@6"], of: upstream
      .tryFilter { try checked($0) > 1 })
  }

  @Test func `remove-duplicates`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-3-|", [1, 1, 2, 1]))
    scene.expect(["1@0", "2@4", "1@6", "|@8"], of: upstream
      .removeDuplicates())
  }

  @Test func `remove-duplicates-by`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-3-|", [1, 3, 2, 5]))
    scene.expect(["1@0", "2@4", "5@6", "|@8"], of: upstream
      .removeDuplicates { $0 % 2 == $1 % 2 })
  }

  @Test func `try-remove-duplicates`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-3", [1, 1, 2, -1], cancelledAt: 6))
    scene.expect(["1@0", "2@4", "#@6"], of: upstream
      .tryRemoveDuplicates { try $0 == checked($1) })
  }

  @Test func `first`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("--0", [1], cancelledAt: 2))
    scene.expect(["1@2", "|@2"], of: upstream
      .first())
  }

  @Test func `first-where`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2", [1, 2, 3], cancelledAt: 4))
    scene.expect(["3@4", "|@4"], of: upstream
      .first(where: { $0 > 2 }))
  }

  @Test func `try-first`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2", [1, 2, -1], cancelledAt: 4))
    scene.expect(["#@4"], of: upstream
      .tryFirst(where: { try checked($0) > 2 }))
  }

  @Test func `last`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-|", [1, 2, 3]))
    scene.expect(["3@6", "|@6"], of: upstream
      .last())
  }

  @Test func `last-where`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-|", [1, 2, 3]))
    scene.expect(["2@6", "|@6"], of: upstream
      .last(where: { $0 < 3 }))
  }

  @Test func `try-last`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2", [1, 2, -1], cancelledAt: 4))
    scene.expect(["#@4"], of: upstream
      .tryLast(where: { try checked($0) < 3 }))
  }

  @Test func `prefix`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1", [1, 2], cancelledAt: 2))
    scene.expect(["1@0", "2@2", "|@2"], of: upstream
      .prefix(2))
  }

  @Test func `prefix-while`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2", [1, 2, 3], cancelledAt: 4))
    scene.expect(["1@0", "2@2", "|@4"], of: upstream
      .prefix(while: { $0 < 3 }))
  }

  @Test func `try-prefix`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2", [1, 2, -1], cancelledAt: 4))
    scene.expect(["1@0", "2@2", "#@4"], of: upstream
      .tryPrefix(while: { try checked($0) < 3 }))
  }

  @Test func `drop-first`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-3-|", [1, 2, 3, 4]))
    scene.expect(["3@4", "4@6", "|@8"], of: upstream
      .dropFirst(2))
  }

  @Test func `drop-while`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-3-|", [1, 2, 3, 1]))
    scene.expect(["3@4", "1@6", "|@8"], of: upstream
      .drop(while: { $0 < 3 }))
  }

  @Test func `try-drop`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2", [1, 2, -1], cancelledAt: 4))
    scene.expect(["#@4"], of: upstream
      .tryDrop(while: { try checked($0) < 3 }))
  }

  @Test func `output-at`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1", [1, 2], cancelledAt: 2))
    scene.expect(["2@2", "|@2"], of: upstream
      .output(at: 1))
  }

  @Test func `output-in`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2", [1, 2, 3], cancelledAt: 4))
    scene.expect(["2@2", "3@4", "|@4"], of: upstream
      .output(in: 1...2))
  }

  @Test func `ignore-output`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-2-|", [1, 2, 3]))
    scene.expect(["|@6"], of: upstream
      .ignoreOutput())
  }

  @Test func `replace-empty`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("----|", [] as [Int]))
    scene.expect(["0@4", "|@4"], of: upstream
      .replaceEmpty(with: 0))
  }
}
