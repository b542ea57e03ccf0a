import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describePipeline } from '../pipeline.ts'
import { next } from '../step.ts'
import { testPipeline, testStep } from '../testing.ts'

// A step says in its definition what it does and what is true when a record is delivered to it again. The reference of
// the pipeline is made from that, so it cannot tell of a pipeline that is not there.

test('the reference lists the steps with their promises, and the segments with their topics', () => {
  const steps = (['validate', 'scrub', 'embed', 'anchor'] as const).map(name =>
    testStep(name, async batch => batch.map(() => next({}))),
  )
  assert.equal(
    describePipeline(testPipeline(steps, ['validate', 'embed', 'anchor'])),
    `## Steps

| # | step | what it does | delivered again |
|---|---|---|---|
| 1 | \`validate\` | Does validate. | Harmless. |
| 2 | \`scrub\` | Does scrub. | Harmless. |
| 3 | \`embed\` | Does embed. | Harmless. |
| 4 | \`anchor\` | Does anchor. | Harmless. |

## Segments

| topics | steps | key | may hold personal data |
|---|---|---|---|
| \`signals.validate\`, \`signals.validate.bulk\` | \`validate\`, \`scrub\` | signal id | yes |
| \`signals.embed\`, \`signals.embed.bulk\` | \`embed\` | signal id | no |
| \`signals.anchor\`, \`signals.anchor.bulk\` | \`anchor\` | workspace id | no |
`,
  )
})
