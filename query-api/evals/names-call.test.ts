import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unnamed } from './names-call.ts'
import { type Call, decide, lookup, support } from './task.ts'

const update = (more: object = {}): Call => decide('update_solution', { solution_id: 'SOL-1', state: 'Done', ...more })
const triage = (action: string, more: object = {}): Call => decide('triage', { action, ...more })

const CASES: readonly (readonly [text: string, wrong: Call, right: Call, missing: RegExp | null])[] = [
  ['service_decide mode handoff moves to In Review.', update(), decide('handoff'), null],
  ['Find it with service_lookup, mode search.', update(), lookup('search'), null],
  ['service_support mode jobs shows it, mode cancel_job ends it.', update(), support('cancel_job'), null],
  [
    'The arguments of service_lookup do not fit: /mode must be one of claim, signal.',
    lookup('x'),
    lookup('claim'),
    null,
  ],
  [
    'service_lookup claim: /query belongs to search, reference; claim allows id.',
    lookup('claim'),
    lookup('search'),
    null,
  ],
  ['A handoff moves to In Review.', update(), decide('handoff'), /service_decide mode handoff/],
  ['service_decide mode handoffs', update(), decide('handoff'), /service_decide mode handoff/],
  ['service_decide does it; service_support mode jobs', update(), decide('jobs'), /service_decide mode jobs/],
  ['A comment is needed.', update(), update({ comment: 'Agreed.' }), null],
  ['It moves to: Planned, Dropped.', update(), update({ state: 'Planned' }), null],
  ['Not so.', update(), update({ comment: 'Agreed.' }), /comment/],
  ['/boost is not a field here.', update({ boost: 1 }), update(), null],
  ['Something is not a field here.', update({ boost: 1 }), update(), /boost/],
  ['Accept it first (action accept).', triage('promote', { kind: 'problem' }), triage('accept'), null],
  ['It is dismissed.', triage('promote', { kind: 'problem' }), triage('accept'), /action accept/],
]

for (const [text, wrong, right, missing] of CASES) {
  test(`“${text}” ${missing === null ? 'names' : 'does not name'} ${right.input.mode} ${JSON.stringify(right.input)}`, () => {
    const found = unnamed(text, wrong, right)
    if (missing === null) assert.equal(found, null)
    else assert.match(found ?? '', missing)
  })
}
