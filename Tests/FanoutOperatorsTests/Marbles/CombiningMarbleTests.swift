// swift-format-ignore-file
// Written by Docs/tools/draw-marbles from Docs/tools/marbles/combining.md: plays what the pictures of the
// reference show.

import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import Testing

struct CombiningMarbleTests {
  @Test func `combine-latest`() {
    let scene = MarbleScene()
    let letters = scene.publisher(.init("--0---1----|", ["a", "b"]))
    let numbers = scene.publisher(.init("-0--1----2---|", [1, 2, 3]))
    scene.expect(["1a@2", "2a@4", "2b@6", "3b@9", "|@13"], of: numbers
      .combineLatest(letters))
  }

  @Test func `combine-latest-transform`() {
    let scene = MarbleScene()
    let tens = scene.publisher(.init("--0---1----|", [10, 20]))
    let numbers = scene.publisher(.init("-0--1----2---|", [1, 2, 3]))
    scene.expect(["11@2", "12@4", "22@6", "23@9", "|@13"], of: numbers
      .combineLatest(tens) { $0 + $1 })
  }

  @Test func `combine-latest-three`() {
    let scene = MarbleScene()
    let signs = scene.publisher(.init("---0-----1--|", ["+", "-"]))
    let letters = scene.publisher(.init("-0-----1--|", ["a", "b"]))
    let numbers = scene.publisher(.init("0----1--|", [1, 2]))
    scene.expect(["1a+@3", "2a+@5", "2b+@7", "2b-@9", "|@12"], of: numbers
      .combineLatest(letters, signs))
  }

  @Test func `combine-latest-three-transform`() {
    let scene = MarbleScene()
    let hundreds = scene.publisher(.init("---0-----1--|", [100, 200]))
    let tens = scene.publisher(.init("-0-----1--|", [10, 20]))
    let numbers = scene.publisher(.init("0----1--|", [1, 2]))
    scene.expect(["111@3", "112@5", "122@7", "222@9", "|@12"], of: numbers
      .combineLatest(tens, hundreds) { $0 + $1 + $2 })
  }

  @Test func `combine-latest-four`() {
    let scene = MarbleScene()
    let greek = scene.publisher(.init("----0-----1--|", ["π", "σ"]))
    let signs = scene.publisher(.init("--0--------|", ["+"]))
    let letters = scene.publisher(.init("-0------1-|", ["a", "b"]))
    let numbers = scene.publisher(.init("0-----1--|", [1, 2]))
    scene.expect(["1a+π@4", "2a+π@6", "2b+π@8", "2b+σ@10", "|@13"], of: numbers
      .combineLatest(letters, signs, greek))
  }

  @Test func `combine-latest-four-transform`() {
    let scene = MarbleScene()
    let thousands = scene.publisher(.init("----0-----1--|", [1000, 2000]))
    let hundreds = scene.publisher(.init("--0--------|", [100]))
    let tens = scene.publisher(.init("-0------1-|", [10, 20]))
    let numbers = scene.publisher(.init("0-----1--|", [1, 2]))
    scene.expect(["1111@4", "1112@6", "1122@8", "2122@10", "|@13"], of: numbers
      .combineLatest(tens, hundreds, thousands) { $0 + $1 + $2 + $3 })
  }

  @Test func `zip`() {
    let scene = MarbleScene()
    let letters = scene.publisher(.init("--0---1----|", ["a", "b"]))
    let numbers = scene.publisher(.init("-0--1----2", [1, 2, 3], cancelledAt: 11))
    scene.expect(["1a@2", "2b@6", "|@11"], of: numbers
      .zip(letters))
  }

  @Test func `zip-transform`() {
    let scene = MarbleScene()
    let tens = scene.publisher(.init("--0---1----|", [10, 20]))
    let numbers = scene.publisher(.init("-0--1----2", [1, 2, 3], cancelledAt: 11))
    scene.expect(["11@2", "22@6", "|@11"], of: numbers
      .zip(tens) { $0 + $1 })
  }

  @Test func `zip-three`() {
    let scene = MarbleScene()
    let signs = scene.publisher(.init("---0----1---|", ["+", "-"]))
    let letters = scene.publisher(.init("-0-----1", ["a", "b"], cancelledAt: 12))
    let numbers = scene.publisher(.init("0----1---2", [1, 2, 3], cancelledAt: 12))
    scene.expect(["1a+@3", "2b-@8", "|@12"], of: numbers
      .zip(letters, signs))
  }

  @Test func `zip-three-transform`() {
    let scene = MarbleScene()
    let hundreds = scene.publisher(.init("---0----1---|", [100, 200]))
    let tens = scene.publisher(.init("-0-----1", [10, 20], cancelledAt: 12))
    let numbers = scene.publisher(.init("0----1---2", [1, 2, 3], cancelledAt: 12))
    scene.expect(["111@3", "222@8", "|@12"], of: numbers
      .zip(tens, hundreds) { $0 + $1 + $2 })
  }

  @Test func `zip-four`() {
    let scene = MarbleScene()
    let greek = scene.publisher(.init("----0-----1", ["π", "σ"], cancelledAt: 10))
    let signs = scene.publisher(.init("--0----1", ["+", "-"], cancelledAt: 10))
    let letters = scene.publisher(.init("-0------1", ["a", "b"], cancelledAt: 10))
    let numbers = scene.publisher(.init("0-----1--|", [1, 2]))
    scene.expect(["1a+π@4", "2b-σ@10", "|@10"], of: numbers
      .zip(letters, signs, greek))
  }

  @Test func `zip-four-transform`() {
    let scene = MarbleScene()
    let thousands = scene.publisher(.init("----0-----1", [1000, 2000], cancelledAt: 10))
    let hundreds = scene.publisher(.init("--0----1", [100, 200], cancelledAt: 10))
    let tens = scene.publisher(.init("-0------1", [10, 20], cancelledAt: 10))
    let numbers = scene.publisher(.init("0-----1--|", [1, 2]))
    scene.expect(["1111@4", "2222@10", "|@10"], of: numbers
      .zip(tens, hundreds, thousands) { $0 + $1 + $2 + $3 })
  }

  @Test func `with-latest-from`() {
    let scene = MarbleScene()
    let letters = scene.publisher(.init("--0---1----|", ["a", "b"]))
    let numbers = scene.publisher(.init("-0--1----2---|", [1, 2, 3]))
    scene.expect(["2a@4", "3b@9", "|@13"], of: numbers
      .withLatestFrom(letters))
  }

  @Test func `with-latest-from-transform`() {
    let scene = MarbleScene()
    let tens = scene.publisher(.init("--0---1----|", [10, 20]))
    let numbers = scene.publisher(.init("-0--1----2---|", [1, 2, 3]))
    scene.expect(["12@4", "23@9", "|@13"], of: numbers
      .withLatestFrom(tens) { $0 + $1 })
  }

  @Test func `merge`() {
    let scene = MarbleScene()
    let others = scene.publisher(.init("--0---1----|", [7, 8]))
    let numbers = scene.publisher(.init("-0--1----2---|", [1, 2, 3]))
    scene.expect(["1@1", "7@2", "2@4", "8@6", "3@9", "|@13"], of: numbers
      .merge(with: others))
  }

  @Test func `merge-three`() {
    let scene = MarbleScene()
    let hundreds = scene.publisher(.init("----0-----1-|", [100, 200]))
    let tens = scene.publisher(.init("--0-----1-|", [10, 20]))
    let numbers = scene.publisher(.init("0-----1-|", [1, 2]))
    scene.expect(["1@0", "10@2", "100@4", "2@6", "20@8", "200@10", "|@12"], of: numbers
      .merge(with: tens, hundreds))
  }

  @Test func `merge-four`() {
    let scene = MarbleScene()
    let d = scene.publisher(.init("---0--|", [4]))
    let c = scene.publisher(.init("--0--|", [3]))
    let b = scene.publisher(.init("-0---|", [2]))
    let upstream = scene.publisher(.init("0----|", [1]))
    scene.expect(["1@0", "2@1", "3@2", "4@3", "|@6"], of: upstream
      .merge(with: b, c, d))
  }

  @Test func `merge-five`() {
    let scene = MarbleScene()
    let e = scene.publisher(.init("----0--|", [5]))
    let d = scene.publisher(.init("---0--|", [4]))
    let c = scene.publisher(.init("--0---|", [3]))
    let b = scene.publisher(.init("-0----|", [2]))
    let upstream = scene.publisher(.init("0-----|", [1]))
    scene.expect(["1@0", "2@1", "3@2", "4@3", "5@4", "|@7"], of: upstream
      .merge(with: b, c, d, e))
  }

  @Test func `merge-six`() {
    let scene = MarbleScene()
    let f = scene.publisher(.init("-----0--|", [6]))
    let e = scene.publisher(.init("----0--|", [5]))
    let d = scene.publisher(.init("---0---|", [4]))
    let c = scene.publisher(.init("--0----|", [3]))
    let b = scene.publisher(.init("-0-----|", [2]))
    let upstream = scene.publisher(.init("0------|", [1]))
    scene.expect(["1@0", "2@1", "3@2", "4@3", "5@4", "6@5", "|@8"], of: upstream
      .merge(with: b, c, d, e, f))
  }

  @Test func `merge-seven`() {
    let scene = MarbleScene()
    let g = scene.publisher(.init("------0--|", [7]))
    let f = scene.publisher(.init("-----0--|", [6]))
    let e = scene.publisher(.init("----0---|", [5]))
    let d = scene.publisher(.init("---0----|", [4]))
    let c = scene.publisher(.init("--0-----|", [3]))
    let b = scene.publisher(.init("-0------|", [2]))
    let upstream = scene.publisher(.init("0-------|", [1]))
    scene.expect(["1@0", "2@1", "3@2", "4@3", "5@4", "6@5", "7@6", "|@9"], of: upstream
      .merge(with: b, c, d, e, f, g))
  }

  @Test func `merge-eight`() {
    let scene = MarbleScene()
    let h = scene.publisher(.init("-------0--|", [8]))
    let g = scene.publisher(.init("------0--|", [7]))
    let f = scene.publisher(.init("-----0---|", [6]))
    let e = scene.publisher(.init("----0----|", [5]))
    let d = scene.publisher(.init("---0-----|", [4]))
    let c = scene.publisher(.init("--0------|", [3]))
    let b = scene.publisher(.init("-0-------|", [2]))
    let upstream = scene.publisher(.init("0--------|", [1]))
    scene.expect(["1@0", "2@1", "3@2", "4@3", "5@4", "6@5", "7@6", "8@7", "|@10"], of: upstream
      .merge(with: b, c, d, e, f, g, h))
  }

  @Test func `flat-map`() {
    let scene = MarbleScene()
    let b = scene.publisher(.init("-0--1-|", ["b1", "b2"], at: 4))
    let a = scene.publisher(.init("-0---1---2-|", ["a1", "a2", "a3"], at: 1))
    let upstream = scene.publisher(.init("-0--1---|", [1, 2]))
    scene.expect(["a1@2", "b1@5", "a2@6", "b2@8", "a3@10", "|@12"], of: upstream
      .flatMap { $0 == 1 ? a : b })
  }

  @Test func `flat-map-first`() {
    let scene = MarbleScene()
    let b = scene.publisher(.init("--0-|", ["b1"], at: 7))
    let a = scene.publisher(.init("-0-1|", ["a1", "a2"], at: 1))
    let upstream = scene.publisher(.init("-0-1---2|", [1, 2, 3]))
    scene.expect(["a1@2", "a2@4", "b1@9", "|@11"], of: upstream
      .flatMapFirst { $0 == 1 ? a : b })
  }

  @Test func `flat-map-latest`() {
    let scene = MarbleScene()
    let b = scene.publisher(.init("-0-1--2|", ["b1", "b2", "b3"], at: 6))
    let a = scene.publisher(.init("-0-1", ["a1", "a2"], at: 1, cancelledAt: 6))
    let upstream = scene.publisher(.init("-0----1-|", [1, 2]))
    scene.expect(["a1@2", "a2@4", "b1@7", "b2@9", "b3@12", "|@13"], of: upstream
      .flatMapLatest { $0 == 1 ? a : b })
  }

  @Test func `switch-to-latest`() {
    let scene = MarbleScene()
    let b = scene.publisher(.init("-0-1--2|", ["b1", "b2", "b3"], at: 6))
    let a = scene.publisher(.init("-0-1", ["a1", "a2"], at: 1, cancelledAt: 6))
    let upstream = scene.publisher(.init("-0----1-|", [a, b]))
    scene.expect(["a1@2", "a2@4", "b1@7", "b2@9", "b3@12", "|@13"], of: upstream
      .switchToLatest())
  }

  @Test func `prefix-until`() {
    let scene = MarbleScene()
    let stop = scene.publisher(.init("------0", ["s"], cancelledAt: 6))
    let upstream = scene.publisher(.init("0-1-2", [1, 2, 3], cancelledAt: 6))
    scene.expect(["1@0", "2@2", "3@4", "|@6"], of: upstream
      .prefix(untilOutputFrom: stop))
  }

  @Test func `drop-until`() {
    let scene = MarbleScene()
    let start = scene.publisher(.init("----0", ["s"], cancelledAt: 4))
    let upstream = scene.publisher(.init("0-1---2-3-|", [1, 2, 3, 4]))
    scene.expect(["3@6", "4@8", "|@10"], of: upstream
      .drop(untilOutputFrom: start))
  }

  @Test func `append-values`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-|", [1, 2]))
    scene.expect(["1@0", "2@2", "8@4", "9@4", "|@4"], of: upstream
      .append(8, 9))
  }

  @Test func `append-sequence`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("0-1-|", [1, 2]))
    scene.expect(["1@0", "2@2", "7@4", "8@4", "9@4", "|@4"], of: upstream
      .append(7...9))
  }

  @Test func `append`() {
    let scene = MarbleScene()
    let more = scene.publisher(.init("-0-1-|", [8, 9], at: 4))
    let upstream = scene.publisher(.init("0-1-|", [1, 2]))
    scene.expect(["1@0", "2@2", "8@5", "9@7", "|@9"], of: upstream
      .append(more))
  }

  @Test func `prepend-values`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("---0-1-|", [1, 2]))
    scene.expect(["8@0", "9@0", "1@3", "2@5", "|@7"], of: upstream
      .prepend(8, 9))
  }

  @Test func `prepend-sequence`() {
    let scene = MarbleScene()
    let upstream = scene.publisher(.init("----0-1-|", [1, 2]))
    scene.expect(["7@0", "8@0", "9@0", "1@4", "2@6", "|@8"], of: upstream
      .prepend(7...9))
  }

  @Test func `prepend`() {
    let scene = MarbleScene()
    let intro = scene.publisher(.init("0-1-|", [8, 9]))
    let upstream = scene.publisher(.init("-0-1-|", [1, 2], at: 4))
    scene.expect(["8@0", "9@2", "1@5", "2@7", "|@9"], of: upstream
      .prepend(intro))
  }
}
