// swift-format-ignore-file
// Written by Docs/tools/draw-marbles from Docs/tools/marbles/time.md: plays what the pictures of the
// reference show.

import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import Testing

struct TimeMarbleTests {
  @Test func `debounce`() {
    let scene = MarbleScene()
    let scheduler = scene.scheduler
    let upstream = scene.publisher(.init("01-2----3-|", [1, 2, 3, 4]))
    scene.expect(["3@6", "4@10", "|@10"], of: upstream
      .debounce(for: 3, scheduler: scheduler))
  }

  @Test func `throttle`() {
    let scene = MarbleScene()
    let scheduler = scene.scheduler
    let upstream = scene.publisher(.init("012--3-4----5|", [1, 2, 3, 4, 5, 6]))
    scene.expect(["1@0", "3@3", "4@6", "5@9", "6@12", "|@13"], of: upstream
      .throttle(for: 3, scheduler: scheduler, latest: true))
  }

  @Test func `throttle, 2`() {
    let scene = MarbleScene()
    let scheduler = scene.scheduler
    let upstream = scene.publisher(.init("012--3-4----5|", [1, 2, 3, 4, 5, 6]))
    scene.expect(["1@0", "2@3", "4@6", "5@9", "6@12", "|@13"], of: upstream
      .throttle(for: 3, scheduler: scheduler, latest: false))
  }

  @Test func `delay`() {
    let scene = MarbleScene()
    let scheduler = scene.scheduler
    let upstream = scene.publisher(.init("0-12---|", [1, 2, 3]))
    scene.expect(["1@3", "2@5", "3@6", "|@10"], of: upstream
      .delay(for: 3, scheduler: scheduler))
  }

  @Test func `timeout`() {
    let scene = MarbleScene()
    let scheduler = scene.scheduler
    let upstream = scene.publisher(.init("0-1-2", [1, 2, 3], cancelledAt: 7), error: Late())
    scene.expect(["1@0", "2@2", "3@4", "#@7"], of: upstream
      .timeout(3, scheduler: scheduler, customError: { Late() }))
  }

  @Test func `timeout, 2`() {
    let scene = MarbleScene()
    let scheduler = scene.scheduler
    let upstream = scene.publisher(.init("0-1-2", [1, 2, 3], cancelledAt: 7), error: Late())
    scene.expect(["1@0", "2@2", "3@4", "|@7"], of: upstream
      .timeout(3, scheduler: scheduler))
  }

  @Test func `collect-by-time`() {
    let scene = MarbleScene()
    let scheduler = scene.scheduler
    let upstream = scene.publisher(.init("01---234-5-6-|", [1, 2, 3, 4, 5, 6, 7]))
    scene.expect(["[1,2]@4", "[3,4,5]@8", "[6,7]@12", "|@13"], of: upstream
      .collect(.byTime(scheduler, 4)))
  }

  @Test func `collect-by-time, 2`() {
    let scene = MarbleScene()
    let scheduler = scene.scheduler
    let upstream = scene.publisher(.init("01---234-5-6-|", [1, 2, 3, 4, 5, 6, 7]))
    scene.expect(["[1,2]@4", "[3,4,5]@7", "[6,7]@12", "|@13"], of: upstream
      .collect(.byTimeOrCount(scheduler, 4, 3)))
  }

  @Test func `measure-interval`() {
    let scene = MarbleScene()
    let scheduler = scene.scheduler
    let upstream = scene.publisher(.init("---0-12---3-|", ["a", "b", "c", "d"]))
    scene.expect(["3@3", "2@5", "1@6", "4@10", "|@12"], of: upstream
      .measureInterval(using: scheduler))
  }
}
