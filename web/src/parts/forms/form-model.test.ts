import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { changesOf, conflictsOf, type Decided, isChanged, withDecided } from './form-model.ts'

const texts = fc.record({ title: fc.constantFrom('a', 'b', 'c'), summary: fc.constantFrom('a', 'b', 'c') })
const written = fc.record({ title: fc.constantFrom('a', 'b', 'c') }, { requiredKeys: [] })

describe('A form on what two people write', () => {
  it('sends nothing that the person has not changed, and nothing over what they have not seen', () => {
    fc.assert(
      fc.property(texts, written, texts, (opened, mine, theirs) => {
        const draft = { opened: { version: 1, values: opened }, written: mine }
        const now = { version: 2, values: theirs }
        const changes = changesOf(draft, now)
        for (const [field, value] of Object.entries(changes)) {
          assert.equal(value, mine[field as keyof typeof mine])
          assert.notEqual(value, opened[field as keyof typeof opened])
          assert.notEqual(value, theirs[field as keyof typeof theirs])
        }
        const conflicts = conflictsOf(draft, now).map(({ field }) => field)
        for (const field of ['title', 'summary'] as const) {
          const isOver = changes[field] !== undefined && theirs[field] !== opened[field]
          assert.equal(conflicts.includes(field), isOver)
        }
      }),
    )
  })

  it('shows what the person chose, also where that is none', () => {
    const draft = { opened: { version: undefined, values: { days: 365 } }, written: { days: null } }
    const [conflict] = conflictsOf<{ days: number | null }>(draft, { version: undefined, values: { days: 90 } })
    assert.deepEqual(conflict, { field: 'days', theirs: 90, mine: null, isWritten: true })
  })

  it('has no conflict once each is decided, and sends what was kept of theirs and mine', () => {
    const decided = fc.constantFrom<Decided>('mine', 'theirs')
    fc.assert(
      fc.property(texts, written, texts, decided, (opened, mine, theirs, choice) => {
        const now = { version: 2, values: theirs }
        const draft = { opened: { version: 1, values: opened }, written: mine }
        const [conflict] = conflictsOf(draft, now)
        const after = conflict === undefined ? draft : withDecided(draft, now, conflict.field, choice)
        assert.deepEqual(conflictsOf(after, now), [])
        if (conflict !== undefined) assert.equal('title' in changesOf(after, now), choice === 'mine')
      }),
    )
  })

  it('would lose a change of any kind of field, also one restored from a draft, and nothing where none differs', () => {
    const opened = {
      version: 1,
      values: { title: 'a', ends: '2026-01-01', target: 3, claims: ['CLM-1'], verdict: 'met' },
    }
    const changed = { title: 'b', ends: '2026-01-02', target: 4, claims: ['CLM-2'], verdict: 'unclear' }
    assert.equal(isChanged({ opened, written: {} }, opened), false)
    assert.equal(isChanged({ opened, written: opened.values }, opened), false)
    for (const [field, value] of Object.entries(changed))
      assert.equal(isChanged<typeof changed>({ opened, written: { [field]: value } }, opened), true, field)
  })
})
