import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Detector, withoutOverlap } from './detector.ts'
import { numberingPlans } from './numbering-plans.ts'

/** Tests a detector with a table: it must find what is marked `«so»`, and nothing in a text without a mark. */
export const testDetector = (detector: Detector, marked: readonly string[]): void => {
  for (const line of marked) {
    test(`${detector.kind} in ${line}`, () => {
      const text = line.replace(/[«»]/g, '')
      const expected = Array.from(line.matchAll(/«(.*?)»/g), match => match[1])
      const spans = withoutOverlap(detector.find(text, numberingPlans())).map(({ start, end }) =>
        text.slice(start, end),
      )
      assert.deepEqual(spans, expected)
    })
  }
}
